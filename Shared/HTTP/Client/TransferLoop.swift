internal import CCurl

/// The client's thread: it alone touches libcurl's handles.
final class TransferLoop {
    private let configuration: Client.Configuration
    private let queue: TransferQueue
    private var active: [UInt64: EasyHandle] = [:]
    /// Whose handle it is that libcurl reports as finished.
    private var ids: [UInt: UInt64] = [:]
    private var isClosed = false
    private var nextLook = ContinuousClock.now

    init(_ configuration: Client.Configuration, _ queue: TransferQueue) {
        self.configuration = configuration
        self.queue = queue
        unsafe keijiban_curl_multi_set_number(
            queue.multi,
            CURLMOPT_MAX_HOST_CONNECTIONS,
            configuration.maxConnectionsPerHost
        )
        unsafe keijiban_curl_multi_set_number(queue.multi, CURLMOPT_MAXCONNECTS, configuration.maxIdleConnections)
        unsafe keijiban_curl_multi_set_number(queue.multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
    }

    func run() {
        while !self.isClosed {
            for command in self.queue.take() { self.obey(command) }
            var running: Int32 = 0
            unsafe curl_multi_perform(self.queue.multi, &running)
            self.collectFinished()
            self.endOverdue()
            unsafe curl_multi_poll(self.queue.multi, nil, 0, self.active.isEmpty ? 1000 : 50, nil)
        }
        self.queue.close()
        for id in self.active.keys { self.end(id, .failure(.closed)) }
    }

    private func obey(_ command: TransferQueue.Command) {
        switch command {
        case .start(let order): self.start(order)
        case .cancel(let id): self.end(id, .failure(HTTPClientError(.cancelled, "the task was cancelled")))
        case .close: self.isClosed = true
        }
    }

    private func start(_ order: Transfer.Order) {
        do throws(HTTPClientError) {
            let handle = try EasyHandle(Transfer(order), connectTimeout: self.configuration.connectTimeout)
            self.active[order.id] = handle
            self.ids[handle.identity] = order.id
            handle.add(to: self.queue)
        } catch {
            order.finish(.failure(error))
        }
    }

    private func collectFinished() {
        var code = CURLE_OK
        while let easy = unsafe keijiban_curl_next_finished(self.queue.multi, &code) {
            guard let id = self.ids[UInt(bitPattern: easy)], let handle = self.active[id] else { return }
            let transfer = handle.transfer
            let isComplete = code == CURLE_OK || transfer.isStopped
            self.end(id, isComplete ? .success(transfer.response) : .failure(HTTPClientError(code, transfer)))
        }
    }

    /// libcurl keeps the deadlines of transfers that have a connection, but not of those that wait for one.
    private func endOverdue() {
        let now = ContinuousClock.now
        guard now >= self.nextLook else { return }
        self.nextLook = now + .milliseconds(50)
        for (id, handle) in self.active where !handle.transfer.hasConnected && handle.transfer.deadline < now {
            self.end(id, .failure(HTTPClientError(.connect, "no connection was free in time")))
        }
    }

    /// Removing a transfer that is not over closes its connection.
    private func end(_ id: UInt64, _ outcome: Transfer.Outcome) {
        guard let handle = self.active.removeValue(forKey: id) else { return }
        self.ids[handle.identity] = nil
        handle.remove(from: self.queue)
        handle.transfer.order.finish(outcome)
    }
}
