/// How often a number was how large.
struct Histogram {
    let bounds: [Double]
    /// For each bound, and for what is above all of them; not yet summed up.
    private var counts: [Int]
    private(set) var sum = 0.0

    init(bounds: [Double]) {
        self.bounds = bounds
        self.counts = Array(repeating: 0, count: bounds.count + 1)
    }

    mutating func add(_ number: Double) {
        self.counts[self.bounds.firstIndex { number <= $0 } ?? self.bounds.count] += 1
        self.sum += number
    }

    /// For each bound, and for no bound at all: how many were at most so large.
    var cumulated: [(bound: Double, count: Int)] {
        var count = 0
        return zip(self.bounds + [.infinity], self.counts).map { bound, here in
            count += here
            return (bound, count)
        }
    }
}
