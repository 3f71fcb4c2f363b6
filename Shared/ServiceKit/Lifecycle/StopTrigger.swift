/// What may stop a process from outside.
public enum StopTrigger: Sendable, Hashable {
    /// SIGTERM, as a container runtime sends it.
    case terminate
    /// SIGINT, as Ctrl-C in a terminal sends it to every process there.
    case interrupt
    /// The end of standard input: whoever started this process and held the other end is gone.
    /// SIGINT without its own trigger is ignored then, since it reaches that one too.
    case lifeline
}
