import Foundation
import HTTP
import KeijibanAPI

/// What people do on a board.
extension TestBoard {
    func signUp(_ name: String = "テスト") async throws -> Person {
        let answer = try await self.call("POST", "/v1/users", ["displayName": name, "deviceId": UUID().uuidString])
        let session = try answer.value(201, as: Session.self)
        return Person(id: session.user.id, name: name, token: session.token)
    }

    func signUp(_ count: Int) async throws -> [Person] {
        try await inParallel(count) { _ in try await self.signUp() }
    }

    func openThread(
        _ person: Person,
        _ title: String = "今日のごはん",
        image: ID? = nil,
        at gateway: RunningPart? = nil
    ) async throws -> BoardThread {
        var draft = ["title": title]
        draft["imageId"] = image?.description
        return try await self.call("POST", "/v1/threads", as: person, draft, at: gateway).value(201)
    }

    func post(
        _ person: Person,
        in thread: BoardThread,
        _ title: String = "題名は十五文字から四十文字まで \(UUID().uuidString.prefix(8))",
        image: ID? = nil,
        at gateway: RunningPart? = nil
    ) async throws -> Post {
        var draft = ["title": title, "body": "本文です。"]
        draft["imageId"] = image?.description
        let path = "/v1/threads/\(thread.id)/posts"
        return try await self.call("POST", path, as: person, draft, at: gateway).value(201)
    }

    @discardableResult
    func like(_ post: Post, _ person: Person) async throws -> Like {
        try await self.call("PUT", "/v1/posts/\(post.id)/like", as: person).value(200)
    }

    @discardableResult
    func unlike(_ post: Post, _ person: Person) async throws -> Like {
        try await self.call("DELETE", "/v1/posts/\(post.id)/like", as: person).value(200)
    }

    func upload(_ person: Person, _ bytes: [UInt8] = Pictures.jpeg) async throws -> Image {
        let headers: Headers = ["Content-Type": "image/jpeg"]
        return try await self.call("POST", "/v1/media", as: person, body: bytes, headers: headers).value(201)
    }

    func status(_ method: String, _ path: String, as person: Person? = nil) async throws -> Int {
        try await self.call(method, path, as: person).status
    }
}

/// Runs `body` for 0, 1, 2, … at once, `width` at a time; the results are in that order.
func inParallel<Value: Sendable>(
    _ count: Int,
    width: Int = 100,
    _ body: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        var results = [Value?](repeating: nil, count: count)
        for index in 0..<count {
            if index >= width, let (done, value) = try await group.next() { results[done] = value }
            group.addTask { (index, try await body(index)) }
        }
        for try await (index, value) in group { results[index] = value }
        return results.compactMap(\.self)
    }
}
