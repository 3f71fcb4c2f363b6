import KeijibanAPI

/// What screens are made of, in the visitor's language.
struct PageParts: Sendable {
    let assets: PageAssets
    let words: PageWords
    let visitor: Visitor
    /// Characters that a post's title has.
    let titleLength: ClosedRange<Int>

    func icon(_ name: String) -> HTML {
        let address = self.assets.address(of: "icons.svg")
        return "<svg class=\"icon\" aria-hidden=\"true\"><use href=\"\(address)#\(name)\"/></svg>"
    }

    /// A number beside its icon, with a word for those who do not see the icon.
    func count(_ count: Int?, of slot: String, icon: String) -> HTML {
        let word = self.words("count.\(slot)")
        let number = PageWords.count(count)
        return """
            <span class="number" title="\(word)">\(self.icon(icon))<span class="hidden">\(word) </span>\
            <span data-f="\(slot)">\(number)</span></span>
            """
    }

    /// The first letter of a name, where a face would be.
    func face(_ name: String) -> HTML {
        "<span class=\"face\" aria-hidden=\"true\" data-f=\"face\">\(name.first.map(String.init) ?? "")</span>"
    }

    /// A small picture, or its place.
    func thumbnail(_ image: Image?) -> HTML {
        guard let image else { return "<span class=\"thumb none\" data-f=\"thumb\">\(self.icon("picture"))</span>" }
        return """
            <span class="thumb" data-f="thumb"><img src="\(image.thumbnailUrl)" width="72" height="72" alt="" \
            loading="lazy" decoding="async"></span>
            """
    }

    /// A picture in a box that has its size before it has the picture.
    func picture(_ image: Image, isFirst: Bool = false) -> HTML {
        let scale = min(1, 700 / Double(max(image.width, 1)), 500 / Double(max(image.height, 1)))
        let width = max(1, Int((Double(image.width) * scale).rounded()))
        let height = max(1, Int((Double(image.height) * scale).rounded()))
        let loading: HTML = isFirst ? "fetchpriority=\"high\"" : "loading=\"lazy\""
        return """
            <img src="\(image.displayUrl)" width="\(width)" height="\(height)" alt="\(self.words("picture.alt"))" \
            \(loading) decoding="async">
            """
    }

    /// Ways to order a list, as links.
    func orders(_ names: [String], current: String, path: String) -> HTML {
        let links: [HTML] = names.map { name in
            let mark: HTML = name == current ? " aria-current=\"true\"" : ""
            let target = name == names[0] ? path : "\(path)?order=\(name)"
            return "<a href=\"\(target)\"\(mark)>\(self.words("order.\(name)"))</a>"
        }
        return "<nav class=\"orders\" aria-label=\"\(self.words("orders"))\">\(links)</nav>"
    }

    /// A list, with where its next page is, for readers and for the script that goes on by itself.
    func list(_ rows: [HTML], kind: String, source: String, next: String?, nextPage: String?, empty: HTML) -> HTML {
        let items: [HTML] = rows.map { "<li>\($0)</li>" }
        let cursor: HTML = next.map { " data-next=\"\($0)\"" } ?? ""
        let link: HTML =
            nextPage.map { target in
                """
                <p class="more"><a class="button" rel="next" href="\(target)">\(self.words("more"))</a></p>
                """
            } ?? ""
        return """
            <div class="empty-place" data-empty\(rows.isEmpty ? "" : " hidden" as HTML)>\(empty)</div>
            <ol class="list" data-list="\(kind)" data-source="\(source)"\(cursor)\(rows.isEmpty ? " hidden" : "" as HTML)>
            \(items)
            </ol>
            \(link)
            """
    }

    /// What stands where there is nothing yet.
    func empty(_ icon: String, _ title: String, _ text: String, action: HTML = .empty) -> HTML {
        """
        <div class="sheet empty">\(self.icon(icon))<b>\(title)</b><p>\(text)</p>\(action)</div>
        """
    }

    func mainButton(_ text: String, to target: String, icon: String) -> HTML {
        "<a class=\"button main\" href=\"\(target)\">\(self.icon(icon))<span>\(text)</span></a>"
    }

    /// What is said where a service is away: the script tries again by itself.
    func away(_ problem: Problem) -> HTML {
        """
        <div class="sheet empty" data-away role="status">\(self.icon("cloud"))<b>\(self.words("away.title"))</b>\
        <p>\(self.words("away.text"))</p>\
        <p><a class="button" href="">\(self.words("again"))</a></p></div>
        """
    }
}
