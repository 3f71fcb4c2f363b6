import Events
import KeijibanAPI
import Postgres

/// One transaction's work on the accounts: commands in, outcomes out, rows and events in between.
struct UserBatchStore {
    let store: UserStore
    let connection: Connection
    let batch: LogBatch
    var standing: [ID: UserRecord] = [:]
    private var devices: [[UInt8]: UserRecord] = [:]
    private var created: [(user: UserRecord, device: [UInt8]?)] = []
    private var made: [(request: IdempotentRequest, resource: ID)] = []

    init(_ store: UserStore, _ batch: LogBatch, in connection: Connection) {
        self.store = store
        self.connection = connection
        self.batch = batch
    }

    mutating func carryOut(_ commands: [UserCommand]) throws -> [UserOutcome] {
        let idempotency = IdempotencyStore(self.connection)
        let earlier = try idempotency.earlier(commands.compactMap(\.request))
        let resources = earlier.values.compactMap { if case .done(let id) = $0 { id } else { nil } }
        self.devices = try self.store.users(ofDevices: commands.compactMap(\.device), in: self.connection)
        for user in try self.store.users(commands.compactMap(\.user) + resources, in: self.connection) {
            self.standing[user.id] = user
        }
        let outcomes = try commands.map { command in
            switch command.request.flatMap({ earlier[$0] }) {
            case .reused: UserOutcome.keyReused
            case .done(let resource): try self.carryOut(command, earlier: resource)
            case nil: try self.carryOut(command, earlier: nil)
            }
        }
        try self.store.insert(self.created, in: self.connection)
        try idempotency.remember(self.made)
        try self.batch.flush()
        return outcomes
    }

    /// - Parameter resource: what the same request made before.
    private mutating func carryOut(_ command: UserCommand, earlier resource: ID?) throws -> UserOutcome {
        switch command.act {
        case .signUp(let name, let device): return try self.signUp(name, device, command, resource)
        case .join(let device, let code): return try self.join(device, code, command, resource)
        default: break
        }
        guard let user = command.user.flatMap({ self.standing[$0] }) else { return .userGone }
        switch command.act {
        case .signUp, .join: return .notFound
        case .renew:
            if resource == nil { self.remember(user.id, command) }
            return .created(user, isReplay: resource != nil, try self.reached(command))
        case .rename(_, let name, let condition): return try self.rename(user, name, condition, command)
        case .offer(_, let seed, let codes): return try self.offer(user, seed, codes, command, resource)
        case .delete: return try self.delete(user, command)
        }
    }

    private mutating func signUp(
        _ name: String,
        _ device: [UInt8]?,
        _ command: UserCommand,
        _ resource: ID?
    ) throws -> UserOutcome {
        if let user = device.flatMap({ self.devices[$0] }) {
            let reached = try self.reached(command)
            if resource == user.id { return .created(user, isReplay: true, reached) }
            // Where the device was known at the first time too, its own id stands for what the request made: nothing. Otherwise
            // the device is another user's by now, whom the request did not make.
            guard resource == nil || resource == command.request?.user else { return .notFound }
            if resource == nil { self.remember(command.request?.user, command) }
            return .known(user, isReplay: resource != nil, reached)
        }
        guard resource == nil else { return .notFound }
        let user = UserRecord(
            id: try self.batch.newKey(in: command.shard),
            version: 1,
            displayName: name,
            createdAt: try self.batch.time(in: command.shard)
        )
        let position = try self.batch.append(UserCreated(user), key: user.id, traceparent: command.traceparent)
        self.created.append((user, device))
        if let device { self.devices[device] = user }
        self.remember(user.id, command)
        return .created(user, isReplay: false, PositionVector(Shard(self.store.log.topic, command.shard), position))
    }

    private mutating func join(
        _ device: [UInt8],
        _ code: [UInt8],
        _ command: UserCommand,
        _ resource: ID?
    ) throws -> UserOutcome {
        if let resource {
            guard let user = self.devices[device], user.id == resource else { return .notFound }
            return .known(user, isReplay: true, try self.reached(command))
        }
        guard let user = try self.store.takeUser(ofCode: code, in: self.connection) else { return .codeNotUsable }
        try self.store.move(device, to: user.id, in: self.connection)
        self.devices[device] = user
        self.remember(user.id, command)
        return .known(user, isReplay: false, try self.reached(command))
    }

    mutating func remember(_ resource: ID?, _ command: UserCommand) {
        if let request = command.request, let resource { self.made.append((request, resource)) }
    }

    func reached(_ command: UserCommand) throws -> PositionVector {
        PositionVector(Shard(self.store.log.topic, command.shard), try self.batch.position(in: command.shard))
    }
}

extension UserStore {
    /// Carries out commands in one transaction.
    var apply: @Sendable ([UserCommand], Connection) throws -> [UserOutcome] {
        { commands, connection in
            let batch = try LogBatch(self.log, locking: Set(commands.map(\.shard)), in: connection)
            var work = UserBatchStore(self, batch, in: connection)
            return try work.carryOut(commands)
        }
    }
}
