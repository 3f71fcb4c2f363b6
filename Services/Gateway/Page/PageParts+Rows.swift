import KeijibanAPI

/// Rows and cards. Scripts make more of them from the same markup, which each page holds as templates, and fill in what has a
/// `data-f`.
extension PageParts {
    func threadRow(_ thread: KeijibanAPI.Thread) -> HTML {
        let isDaily: HTML = thread.kind == .dailyReport ? "" : " hidden"
        let moment = thread.lastPostedAt ?? thread.createdAt
        return """
            <a class="row" href="/threads/\(thread.id.description)" data-id="\(thread.id.description)">\
            \(self.thumbnail(thread.image))\
            <div><h2 class="clamp2" data-f="title">\(thread.title)</h2>\
            <p class="text clamp2" data-f="description">\(Excerpt.description(of: thread.description))</p>\
            <p class="meta"><span class="tag" data-f="kind"\(isDaily)>\(self.words("daily"))</span>\
            <span data-f="author">\(thread.author.displayName)</span>\
            \(self.count(thread.postCount, of: "postCount", icon: "posts"))\
            \(self.count(thread.likeCount, of: "likeCount", icon: "heart"))\
            <span>\(self.icon("clock"))<span class="hidden">\(self.words("lastActivity")) </span>\
            \(PageTime.element(moment, self.words))</span></p></div></a>
            """
    }

    /// A post in a list of findings: a small picture, three lines, who wrote it.
    func postRow(_ post: Post) -> HTML {
        """
        <a class="row" href="/posts/\(post.id.description)" data-id="\(post.id.description)" \
        data-thread="\(post.threadId.description)">\
        \(self.thumbnail(post.image))\
        <div><h2 class="clamp2" data-f="title">\(post.title)</h2>\
        <p class="text clamp3" data-f="body">\(Excerpt.row(of: post.body))</p>\
        <p class="meta"><span data-f="author">\(post.author.displayName)</span>\
        \(self.count(post.likeCount, of: "likeCount", icon: "heart"))\
        \(PageTime.element(post.date, self.words))\
        <span class="of" data-f="threadTitle">\(post.threadTitle)</span></p></div></a>
        """
    }

    /// A post as it stands in its thread.
    func postCard(_ post: Post) -> HTML {
        let excerpt = Excerpt.text(of: post.body, lines: 14, characters: 500)
        let isCut: HTML = excerpt == post.body ? " hidden" : ""
        let address = "/posts/\(post.id.description)"
        return """
            <article class="post" id="post-\(post.id.description)" data-id="\(post.id.description)" \
            data-version="\(post.version)">\(self.byline(post))\
            <h2><a href="\(address)" data-f="title">\(post.title)</a></h2>\
            <p class="body" data-f="body">\(excerpt)</p>\
            <a class="on" href="\(address)" data-f="more"\(isCut)>\(self.words("readOn"))</a>\
            \(self.frame(post.image))\(self.acts(post))</article>
            """
    }

    /// Who wrote it and when. `isLabelled` where a word for it is seen, too.
    func byline(_ post: Post, isLabelled: Bool = false) -> HTML {
        let edited: HTML = post.editedAt == nil ? " hidden" : ""
        let label: HTML = isLabelled ? "soft" : "hidden"
        return """
            <div class="by">\(self.face(post.author.displayName))<div>\
            <b><span class="\(label)">\(self.words("author")) </span>\
            <a href="/users/\(post.author.id.description)" data-f="author">\(post.author.displayName)</a></b>\
            \(PageTime.element(post.date, self.words))\
            <span class="edited" data-f="edited"\(edited)>\(self.words("edited"))</span></div></div>
            """
    }

    /// A picture in its box; a low box stands where there is none.
    func frame(_ image: Image?, isFirst: Bool = false) -> HTML {
        guard let image else { return "<div class=\"frame none\" data-f=\"picture\">\(self.icon("picture"))</div>" }
        return "<div class=\"frame\" data-f=\"picture\">\(self.picture(image, isFirst: isFirst))</div>"
    }

    /// What can be done with a post. Which of it this visitor may do, the scripts know too.
    func acts(_ post: Post) -> HTML {
        let isLiked: HTML = post.likedByMe == true ? "true" : "false"
        let isOwn: HTML = post.canDelete ? "" : " hidden"
        let address = "/posts/\(post.id.description)"
        return """
            <div class="acts"><button type="button" class="act like" data-act="like" aria-pressed="\(isLiked)">\
            \(self.icon("heart"))<span class="hidden">\(self.words("like")) </span>\
            <span class="number" data-f="likeCount">\(PageWords.count(post.likeCount))</span></button>\
            <button type="button" class="act" data-act="share" data-address="\(address)" \
            aria-label="\(self.words("share"))">\(self.icon("share"))</button>\
            <details class="menu end"><summary class="act" aria-label="\(self.words("menu"))">\(self.icon("dots"))</summary>\
            <div class="menu-box"><button type="button" data-act="textpack">\(self.icon("package"))\
            \(self.words("textpack.save"))</button>\
            <a href="/search?author=\(post.author.id.description)" data-f="byAuthor">\(self.icon("tab-search"))\
            \(self.words("search.by"))</a>\
            <a href="\(address)/edit" data-f="edit" data-own\(isOwn)>\(self.icon("pen"))\(self.words("edit"))</a>\
            <button type="button" class="danger" data-act="delete-post" data-own\(isOwn)>\(self.icon("bin"))\
            \(self.words("delete"))</button></div></details></div>
            """
    }

    /// Markup for scripts to fill in.
    func template(_ kind: PageView.Template) -> HTML {
        let content: HTML =
            switch kind {
            case .threadRow: self.threadRow(.blank)
            case .postRow: self.postRow(.blank)
            case .postCard: self.postCard(.blank)
            }
        return "<template id=\"\(kind.rawValue)\">\(content)</template>"
    }
}

extension Author {
    fileprivate static let nobody = Author(id: ID(high: 0, low: 0), displayName: "")
}

extension KeijibanAPI.Thread {
    fileprivate static let blank = KeijibanAPI.Thread(
        id: Author.nobody.id,
        version: 1,
        title: "",
        description: "",
        kind: .discussion,
        image: nil,
        author: .nobody,
        createdAt: Timestamp(milliseconds: 0),
        lastPostedAt: nil,
        postCount: 0,
        likeCount: 0,
        canDelete: false
    )
}

extension Post {
    fileprivate static let blank = Post(
        id: Author.nobody.id,
        version: 1,
        threadId: Author.nobody.id,
        threadTitle: "",
        title: "",
        body: "",
        date: Timestamp(milliseconds: 0),
        image: nil,
        author: .nobody,
        createdAt: Timestamp(milliseconds: 0),
        editedAt: nil,
        likeCount: 0,
        likedByMe: false,
        canDelete: false
    )
}

/// The beginning of a text, cut between characters.
enum Excerpt {
    /// What the row of a thread shows at most: two lines that run on.
    static func description(of text: String) -> String {
        self.text(of: text.split(separator: "\n").joined(separator: " "), lines: 1, characters: 180, width: self.width)
    }

    /// What the row of a post shows at most: three lines, none of them empty.
    static func row(of body: String) -> String {
        self.text(of: body.split(separator: "\n").joined(separator: "\n"), lines: 3, characters: 270, width: self.width)
    }

    /// Roughly, in half the width of a kanji: what comes before the scripts of East Asia is narrow.
    private static func width(of character: Character) -> Int {
        character.unicodeScalars.first.map { $0.value < 0x1100 } == true ? 1 : 2
    }

    /// - Parameter width: As how many characters one counts.
    static func text(of body: String, lines: Int, characters: Int, width: (Character) -> Int = { _ in 1 }) -> String {
        let most = body.split(separator: "\n", maxSplits: lines, omittingEmptySubsequences: false)
        let first = most.prefix(lines).joined(separator: "\n")
        var count = 0
        let end = first.indices.first { index in
            count += width(first[index])
            return count > characters
        }
        if most.count <= lines && end == nil { return body }
        var cut = first[..<(end ?? first.endIndex)]
        while let last = cut.last, last.isWhitespace { cut.removeLast() }
        return cut + "…"
    }
}
