import Testing

/// The five services together, as people use them. One test at a time: each puts much load on a small machine by itself.
@Suite(.serialized)
struct IntegrationTests {}
