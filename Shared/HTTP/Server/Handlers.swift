/// Runs a task for each request that needs one.
///
/// The tasks are children of `run()`, which is therefore the place where cancelling reaches all of them.
final class Handlers: Sendable {
    struct Job: Sendable {
        let exchange: UInt64
        let request: Request
        let route: Route
    }

    private let router: Router
    private let mailbox: Mailbox
    private let jobs: AsyncStream<Job>
    private let feed: AsyncStream<Job>.Continuation

    init(router: Router, mailbox: Mailbox) {
        self.router = router
        self.mailbox = mailbox
        (self.jobs, self.feed) = AsyncStream.makeStream()
    }

    func start(_ job: Job) {
        self.feed.yield(job)
    }

    func finish() {
        self.feed.finish()
    }

    @concurrent func run() async {
        await withDiscardingTaskGroup { group in
            for await job in self.jobs {
                group.addTask {
                    let response = await self.router.handle(job.request, by: job.route)
                    self.mailbox.post(.answer(job.exchange, response))
                }
            }
        }
    }
}
