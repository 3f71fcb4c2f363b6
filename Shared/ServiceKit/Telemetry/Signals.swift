/// All that the program can report. The log and the metrics know nothing else.
extension Signal {
    // The process
    public static let started = event("service.started", .info, "The service runs")
    public static let listening = event("service.listening", .info, "The HTTP server answers at this address")
    public static let stopping = event("service.stopping", .info, "The service begins to stop, for this reason")
    public static let stopped = event("service.stopped", .info, "The service has stopped in good order")
    public static let failed = event("service.failed", .error, "The service ends with an error")
    public static let stopOverdue = event("service.stop-overdue", .error, "The grace is over; these parts still ran")
    public static let events = counter("keijiban_events_total", "Events, logged or not", labels: "event", "level")
    public static let seriesDropped = counter(
        "keijiban_series_dropped_total",
        "Reports left out since the metric has too many series",
        labels: "metric"
    )
    public static let logLinesDropped = counter(
        "keijiban_log_lines_dropped_total",
        "Log lines left out since standard error is slower than the program"
    )
    public static let startTime = gauge("process_start_time_seconds", "When the process started, since 1970")
    public static let residentMemory = gauge("process_resident_memory_bytes", "Memory the process holds")
    public static let cpuTime = counter("process_cpu_seconds_total", "Processor time spent")
    public static let openFiles = gauge("process_open_fds", "Open file descriptors")

    // What it depends on
    public static let dependencyChanged = event("dependency.changed", .info, "A dependency came or is starting")
    public static let dependencyLost = event("dependency.lost", .warning, "A dependency is away, for this reason")
    public static let dependencyUp = gauge(
        "keijiban_dependency_up",
        "Whether a dependency answers (1) or not (0)",
        labels: "dependency"
    )
    public static let ready = gauge("keijiban_ready", "Whether requests can be served (1) or not (0)")

    // HTTP
    public static let httpRequest = event("http.request", .info, "A request that was slow, or one in many")
    public static let httpFailure = event("http.failure", .error, "A request that failed for a fault of the program")
    public static let httpDuration = histogram(
        "keijiban_http_request_duration_seconds",
        "From a request's head to its answer; its count is that of all requests",
        .seconds,
        labels: "method",
        "route",
        "status"
    )
    public static let httpInFlight = gauge("keijiban_http_in_flight", "Requests being worked on")
    public static let httpConnections = gauge("keijiban_http_connections", "Open connections")
    public static let httpRefused = counter("keijiban_http_refused_total", "Requests that no handler saw")
    public static let rateLimited = counter("keijiban_rate_limited_total", "Requests answered with 429", labels: "act")
    public static let liveSubscribers = gauge("keijiban_live_subscribers", "Who listens to what changes")
    public static let liveEvents = counter("keijiban_live_events_total", "Live events, each sent to all who listen")
    public static let liveStreams = gauge("keijiban_live_streams", "Open streams of server-sent events")
    public static let liveStreamsCut = counter("keijiban_live_streams_cut_total", "Streams ended for a slow reader")

    // Calls to other services
    public static let callDuration = histogram(
        "keijiban_call_duration_seconds",
        "Calls to other services",
        .seconds,
        labels: "service",
        "status"
    )
    public static let callFailed = event("call.failed", .warning, "A call to another service got no answer")

    // Batches of writes and the database
    public static let batchSize = histogram("keijiban_batch_size", "Commands in a write transaction", .sizes)
    public static let batchDuration = histogram("keijiban_batch_duration_seconds", "Write transactions", .seconds)
    public static let batchSplit = event("batch.split", .warning, "A batch failed on its data and was split")
    public static let batchWaiting = gauge("keijiban_batch_waiting", "Commands that wait for the next batch")
    public static let poolSize = gauge("keijiban_pool_connections", "Connections to the database")
    public static let poolInUse = gauge("keijiban_pool_in_use", "Connections at work")
    public static let poolWaiting = gauge("keijiban_pool_waiting", "Tasks that wait for a connection")
    public static let databaseFailure = event("database.failure", .warning, "A command failed; it is tried again")
    public static let migrated = event("database.migrated", .info, "A migration was applied")
    public static let retentionDeleted = counter(
        "keijiban_retention_deleted_total",
        "Rows deleted since their time is over",
        labels: "table"
    )

    // The log, its relay and Kafka
    public static let relaySent = counter("keijiban_relay_sent_total", "Events sent to Kafka", labels: "topic")
    public static let relayFailed = event("relay.failed", .warning, "A send failed; it goes on with a new producer")
    public static let relayFailures = counter("keijiban_relay_failures_total", "Sends that failed", labels: "topic")
    public static let relayUnsent = gauge(
        "keijiban_relay_unsent",
        "Events in the log that Kafka has not acknowledged",
        labels: "topic"
    )
    public static let relayTook = event("relay.took-shard", .info, "This process sends the events of a shard now")
    public static let relayLost = event("relay.lost-shard", .warning, "The session that held the shard is gone")
    public static let epochChanged = event("log.epoch-changed", .warning, "The log has a new epoch")
    public static let kafkaLine = event("kafka.line", .info, "What the Kafka library says")
    public static let kafkaFailure = event("kafka.failure", .info, "The Kafka library reports a fault")

    // Projectors
    public static let projectorApplied = counter(
        "keijiban_projector_applied_total",
        "Events applied",
        labels: "topic"
    )
    public static let projectorDuplicates = counter(
        "keijiban_projector_duplicates_total",
        "Events skipped since they were applied before",
        labels: "topic"
    )
    public static let projectorFilled = counter(
        "keijiban_projector_filled_total",
        "Events read from the producer's log since Kafka did not have them",
        labels: "topic"
    )
    public static let projectorGap = event("projector.gap", .warning, "Events are missing; the log is asked")
    public static let projectorRebuild = event("projector.rebuild", .warning, "A shard is rebuilt from a snapshot")
    public static let projectorRebuilds = counter(
        "keijiban_projector_rebuilds_total",
        "Shards rebuilt from a snapshot",
        labels: "topic"
    )
    public static let projectorForeign = counter(
        "keijiban_projector_foreign_total",
        "Records of another epoch, skipped",
        labels: "topic"
    )
    public static let projectorFailed = event("projector.failed", .warning, "Applying failed; it is tried again")
    public static let projectorLag = gauge(
        "keijiban_projector_lag",
        "Events between the producers' heads and this projector",
        labels: "topic"
    )
    public static let projectorDelay = histogram(
        "keijiban_projector_delay_seconds",
        "From an event's time to its being applied",
        .seconds,
        labels: "topic"
    )
    public static let deadLetter = event("projector.dead-letter", .error, "An event cannot be applied and is set aside")
    public static let deadLetterUnsent = event(
        "projector.dead-letters-unsent",
        .warning,
        "Dead letters wait for their topic"
    )
    public static let deadLetters = gauge("keijiban_dead_letters", "Dead letters that nobody has looked after")

    // The gateway's memory
    public static let cacheReads = counter(
        "keijiban_cache_reads_total",
        "Reads of the gateway's memory",
        labels: "cache",
        "outcome"
    )
    public static let cacheBytes = gauge("keijiban_cache_bytes", "Size of the gateway's memory", labels: "cache")

    // Pictures
    public static let imagesStored = counter("keijiban_images_stored_total", "Pictures stored", labels: "format")
    public static let imagesRefused = counter("keijiban_images_refused_total", "Pictures refused", labels: "reason")
    public static let imageDuration = histogram(
        "keijiban_image_duration_seconds",
        "Decoding and encoding of a picture",
        .seconds
    )
}
