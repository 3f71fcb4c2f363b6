import KeijibanAPI

/// What is the visitor's own: their account, and documents on their disk.
struct OwnScreens: Sendable {
    func me(_ parts: PageParts) -> PageView {
        let words = parts.words
        let user = parts.visitor.user
        let guest: HTML = """
            <div id="guest"\(user == nil ? "" : " hidden" as HTML)>\
            \(parts.empty("tab-me", words("me.none"), words("me.none.text")))</div>
            """
        return PageView(
            title: words("tab.me"),
            script: "me",
            tab: .me,
            main: """
                <div class="head"><h1>\(words("tab.me"))</h1></div>
                \(guest)
                <div id="account"\(user == nil ? " hidden" : "" as HTML)>
                <section class="sheet profile">\(parts.face(user?.displayName ?? ""))\
                <form id="rename" class="rename" novalidate>\
                <div class="field" data-field="displayName"><label for="displayName">\(words("me.name"))\
                <span class="number"><span data-count="displayName">0</span> / \(words("characters", ["n": "20"]))\
                </span></label><div class="with-button">\
                <input id="displayName" name="displayName" autocomplete="nickname" aria-describedby="displayName-says" \
                value="\(user?.displayName ?? "")"><button class="button" id="rename-send" disabled>\
                \(words("me.rename"))</button></div>\
                <p class="says" id="displayName-says" role="status"></p></div></form>\
                <p class="meta">\(parts.count(user?.postCount, of: "postCount", icon: "posts"))\
                \(parts.count(user?.likeCount, of: "likeCount", icon: "heart"))</p></section>
                <div class="orders" role="tablist" aria-label="\(words("me.lists"))">\
                <button type="button" role="tab" id="tab-posts" aria-controls="mine" aria-selected="true">\
                \(words("me.posts"))</button>\
                <button type="button" role="tab" id="tab-likes" aria-controls="mine" aria-selected="false" tabindex="-1">\
                \(words("me.likes"))</button></div>
                <div id="mine" role="tabpanel" aria-labelledby="tab-posts"></div>
                </div>
                <section class="sheet settings" aria-labelledby="settings"><h2 id="settings">\(words("me.account"))</h2>
                \(self.act("transfer", "me.transfer", icon: "phone", parts))
                \(self.enter(parts))
                \(self.act("export", "me.export", icon: "down", parts))
                <div class="act-row"><div><h3>\(words("documents"))</h3><p class="soft small">\(words("documents.text"))</p>\
                </div><a class="button" href="/documents">\(parts.icon("package"))\(words("documents.open"))</a></div>
                \(self.act("erase", "me.erase", icon: "bin", parts, isDanger: true))
                </section>
                """,
            templates: [.postRow]
        )
    }

    private func act(_ id: HTML, _ name: String, icon: String, _ parts: PageParts, isDanger: Bool = false) -> HTML {
        """
        <div class="act-row" data-account\(parts.visitor.user == nil ? " hidden" : "" as HTML)><div>\
        <h3>\(parts.words(name))</h3><p class="soft small">\(parts.words("\(name).text"))</p>\
        <p class="says" id="\(id)-says" role="status"></p></div>\
        <button type="button" class="button\(isDanger ? " danger" : "" as HTML)" id="\(id)">\(parts.icon(icon))\
        \(parts.words("\(name).do"))</button></div>
        """
    }

    private func enter(_ parts: PageParts) -> HTML {
        """
        <form class="act-row" id="enter" novalidate><div><h3>\(parts.words("me.enter"))</h3>\
        <p class="soft small">\(parts.words("me.enter.text"))</p>\
        <p class="says" id="enter-says" role="status"></p></div><div class="with-button">\
        <input id="code" name="code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" \
        size="12" maxlength="20" aria-label="\(parts.words("me.enter.code"))">\
        <button class="button">\(parts.words("me.enter.do"))</button></div></form>
        """
    }

    func documents(_ parts: PageParts) -> PageView {
        let words = parts.words
        return PageView(
            title: words("documents"),
            script: "documents",
            tab: .me,
            main: """
                <div class="head"><h1>\(words("documents"))</h1></div>
                <p class="soft lead">\(words("documents.about"))</p>
                <div class="drop file-drop" id="file-drop">\(parts.icon("package"))\
                <label class="pick"><input type="file" id="file" accept=".textpack" \
                aria-describedby="file-says"><span>\(words("documents.pick"))</span></label>\
                <button type="button" class="button" id="new">\(parts.icon("pen"))\(words("documents.new"))</button></div>
                <p class="says" id="file-says" role="status"></p>
                <form class="write document" id="form" novalidate hidden>
                <div class="sides"><div>
                \(parts.area("text", words("documents.body"), limit: "20,000"))
                \(parts.pictureField)
                </div>
                \(parts.preview(kind: "post-card"))
                </div>
                <div class="field"><label for="into">\(words("documents.into"))</label>\
                <select id="into" name="into"></select></div>
                <div class="send"><button type="button" class="button" id="save">\(parts.icon("down"))\
                \(words("documents.save"))</button><button class="button main" id="send" disabled>\
                \(words("documents.post"))</button></div>
                <p class="says" id="form-says" role="alert"></p>
                </form>
                """,
            templates: [.postCard],
            data: " data-least=\"\(parts.titleLength.lowerBound)\" data-most=\"\(parts.titleLength.upperBound)\""
        )
    }
}
