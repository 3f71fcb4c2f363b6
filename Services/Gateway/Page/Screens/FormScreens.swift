import HTTP
import KeijibanAPI

/// Where people write. The markup is whole, so that nothing jumps; the scripts make it work.
struct FormScreens: Sendable {
    let api: PageAPI

    func newThread(_ parts: PageParts) -> PageView {
        let isDaily = parts.visitor.head.query.first("kind") == "dailyReport"
        return parts.threadForm(nil, kind: isDaily ? .dailyReport : .discussion)
    }

    func editThread(_ id: ID, _ parts: PageParts) async throws -> PageView {
        let thread: KeijibanAPI.Thread = try await self.api.get("/v1/threads/\(id)", for: parts.visitor)
        return parts.threadForm(thread, kind: thread.kind)
    }

    func write(in id: ID, _ parts: PageParts) async throws -> PageView {
        let thread: KeijibanAPI.Thread = try await self.api.get("/v1/threads/\(id)", for: parts.visitor)
        let day = parts.visitor.head.query.first("date").flatMap { PageTime.start(of: $0) == nil ? nil : $0 }
        return parts.postForm(
            in: thread,
            post: nil,
            heading: thread.kind == .dailyReport ? parts.words("daily.write") : parts.words("write.heading"),
            day: day ?? PageTime.day(.now)
        )
    }

    func edit(_ id: ID, _ parts: PageParts) async throws -> PageView {
        let post: Post = try await self.api.get("/v1/posts/\(id)", for: parts.visitor)
        let thread: KeijibanAPI.Thread = try await self.api.get("/v1/threads/\(post.threadId)", for: parts.visitor)
        return parts.postForm(in: thread, post: post, heading: parts.words("edit"), day: PageTime.day(post.date))
    }
}

extension PageParts {
    /// For a new thread, or to change one; its kind stays.
    fileprivate func threadForm(_ thread: KeijibanAPI.Thread?, kind: ThreadKind) -> PageView {
        let heading = thread == nil ? self.words("thread.open") : self.words("thread.edit")
        let kinds: [HTML] = ["discussion", "dailyReport"].map { name in
            """
            <label class="choice"><input type="radio" name="kind" value="\(name as String)"\
            \(name == kind.rawValue ? " checked" : "" as HTML)><span><b>\(self.words("kind.\(name)"))</b>\
            <span class="soft small">\(self.words("kind.\(name).text"))</span></span></label>
            """
        }
        let choice: HTML =
            thread == nil ? "<fieldset class=\"field\"><legend>\(self.words("kind"))</legend>\(kinds)</fieldset>" : ""
        let crumb: HTML = thread.map { self.crumb($0) } ?? ""
        let marks: HTML =
            thread.map { self.marks(editing: $0.id, version: $0.version, image: $0.image, name: "thread") }
            ?? " data-draft=\"thread\""
        return PageView(
            title: heading,
            script: "open",
            tab: .threads,
            main: """
                <div class="head"><h1>\(heading)</h1></div>
                \(crumb)
                <form class="write" id="form" novalidate data-kind="\(kind.rawValue)"\(marks)>
                \(self.line("title", self.words("thread.title"), limit: "60", value: thread?.title ?? "", autofocus: true))
                \(self.area("description", self.words("description"), limit: "500", value: thread?.description ?? ""))
                \(choice)
                \(self.pictureField)
                \(self.preview(kind: "thread-row"))
                \(self.send(thread == nil ? heading : self.words("edit.send")))
                </form>
                """,
            templates: [.threadRow]
        )
    }

    private func crumb(_ thread: KeijibanAPI.Thread) -> HTML {
        """
        <p class="crumb"><a href="/threads/\(thread.id.description)">\(self.icon("back"))\(thread.title)</a></p>
        """
    }

    /// What is changed, and from which version on; a draft is that of the post or thread, whatever its version.
    private func marks(editing id: ID, version: Int, image: Image?, name: HTML) -> HTML {
        let picture: HTML =
            image.map { image in
                """
                 data-image="\(image.id.description)" data-image-url="\(image.displayUrl)" \
                data-image-width="\(image.width)" data-image-height="\(image.height)"
                """
            } ?? ""
        return """
             data-draft="\(name)-\(id.description)-edit" data-edits="\(id.description)" \
            data-version="\(version)"\(picture)
            """
    }

    fileprivate func postForm(in thread: KeijibanAPI.Thread, post: Post?, heading: String, day: String) -> PageView {
        let isDaily = thread.kind == .dailyReport
        let dash = self.words.language == .english ? "–" : "〜"
        let length = "\(self.titleLength.lowerBound)\(dash)\(self.titleLength.upperBound)"
        let title = isDaily && post.map { $0.title == DailyReportTitle.text(of: $0.date) } ?? false ? nil : post?.title
        let date: HTML =
            isDaily
            ? """
            <div class="field"><label for="date">\(self.words("daily.day"))</label>\
            <input id="date" name="date" type="date" required value="\(day)"></div>
            """ : ""
        let name = isDaily ? self.words("title.optional") : self.words("title")
        let marks: HTML =
            post.map { self.marks(editing: $0.id, version: $0.version, image: $0.image, name: "post") }
            ?? " data-draft=\"thread-\(thread.id.description)\""
        return PageView(
            title: heading,
            script: "write",
            tab: isDaily ? .daily : .threads,
            main: """
                <div class="head"><h1>\(heading)</h1></div>
                \(self.crumb(thread))
                <form class="write" id="form" novalidate data-thread="\(thread.id.description)" \
                data-kind="\(thread.kind.rawValue)" data-least="\(self.titleLength.lowerBound)" \
                data-most="\(self.titleLength.upperBound)" data-day="\(day)"\(marks)>
                \(date)
                \(self.line("title", name, limit: length, value: title ?? "", autofocus: true))
                \(self.area("body", self.words("body"), limit: "20,000", value: post?.body ?? ""))
                \(self.pictureField)
                \(self.preview(kind: "post-card"))
                \(self.send(post == nil ? self.words("write.send") : self.words("edit.send")))
                </form>
                """,
            templates: [.postCard]
        )
    }

    /// A field of one line, with its counter and where it says what is wrong.
    func line(_ name: String, _ label: String, limit: String, value: String = "", autofocus: Bool = false) -> HTML {
        """
        <div class="field" data-field="\(name)"><label for="\(name)">\(label)\
        \(self.counter(name, limit))</label>\
        <input id="\(name)" name="\(name)" value="\(value)" autocomplete="off" aria-describedby="\(name)-says"\
        \(autofocus ? " autofocus" : "" as HTML)>\
        <p class="says" id="\(name)-says"></p></div>
        """
    }

    func area(_ name: String, _ label: String, limit: String, value: String = "") -> HTML {
        """
        <div class="field" data-field="\(name)"><label for="\(name)">\(label)\
        \(self.counter(name, limit))</label>\
        <textarea id="\(name)" name="\(name)" aria-describedby="\(name)-says">
        \(value)</textarea><p class="says" id="\(name)-says"></p></div>
        """
    }

    private func counter(_ name: String, _ limit: String) -> HTML {
        """
        <span class="number"><span data-count="\(name)">0</span> / \(self.words("characters", ["n": limit]))</span>
        """
    }

    /// A picture that is picked, dropped or pasted. The input is what a keyboard and a screen reader use.
    var pictureField: HTML {
        """
        <div class="field" data-field="imageId"><p class="label" id="picture-label">\(self.words("picture"))\
        <span>\(self.words("picture.hint"))</span></p>\
        <div class="drop" id="drop">\(self.icon("picture"))\
        <label class="pick"><input type="file" id="picture" accept="image/jpeg,image/png,image/webp,image/gif,image/heic" \
        aria-labelledby="picture-label" aria-describedby="imageId-says"><span>\(self.words("picture.drop"))</span></label>\
        <div class="picked" id="picked" hidden></div>\
        <button type="button" class="button" id="picture-remove" hidden>\(self.icon("bin"))\
        \(self.words("picture.remove"))</button></div>\
        <p class="says" id="imageId-says" role="status"></p></div>
        """
    }

    func preview(kind: String) -> HTML {
        """
        <section class="preview" aria-labelledby="preview-label"><h2 class="small soft" id="preview-label">\
        \(self.words("preview"))</h2><ol class="list" id="preview" data-kind="\(kind)"></ol></section>
        """
    }

    func send(_ label: String) -> HTML {
        """
        <div class="send"><button class="button main" id="send" disabled>\(label)</button>\
        <span class="soft small" id="draft-says" role="status"></span>\
        <button type="button" class="button quiet" id="discard" hidden>\(self.words("draft.discard"))</button></div>
        <p class="says" id="form-says" role="alert"></p>
        """
    }
}
