import KeijibanAPI

/// The places of a page in the order of a search.
struct SearchPage: Equatable, Sendable {
    var places: [PostSearch.Place]
    /// What the next page comes after; nil at the end. It may be further than the last place: what lies between was looked at.
    var next: PostSearch.Place?

    /// Of all that is left, or of one place more than a page has.
    init(whole places: [PostSearch.Place], limit: Int) {
        self.places = Array(places.prefix(limit))
        self.next = places.count > limit ? self.places.last : nil
    }

    /// Of what was found until the time was over.
    init(_ places: [PostSearch.Place], until next: PostSearch.Place) {
        self.places = places
        self.next = next
    }
}
