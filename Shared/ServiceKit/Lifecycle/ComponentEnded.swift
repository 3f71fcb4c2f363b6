/// A component that should have run until it was told to stop ended by itself.
public struct ComponentEnded: Error, Hashable, CustomStringConvertible {
    public let name: String
    public var description: String { "\(self.name) ended by itself" }
}
