// SPDX-License-Identifier: MIT

/// A set's satellites in order, by their indices: what is sorted is one word each.
struct SatelliteOrder: Sendable {
    /// Sort key and index; the first `count` are sorted, the others are room.
    private var entries = [UInt32](repeating: 0, count: PartialSatelliteSet.capacity)
    private(set) var count = 0

    /// Sorts the first `count` signals of a list.
    mutating func sort(_ signals: [SatelliteSignal], _ count: Int) {
        self.count = count
        let signals = signals.span
        var sorted = entries.mutableSpan
        // Lists are short, and many receivers send them in order.
        for index in 0..<count {
            let entry = signals[index].sortKey | UInt32(truncatingIfNeeded: index)
            var hole = index
            while hole > 0, sorted[hole &- 1] > entry {
                sorted[hole] = sorted[hole &- 1]
                hole &-= 1
            }
            sorted[hole] = entry
        }
    }

    /// The sort key at a place.
    @inline(__always)
    func key(_ place: Int) -> UInt32 { entries[place] & ~127 }

    /// The index in the list of the satellite at a place.
    @inline(__always)
    func index(_ place: Int) -> Int { Int(entries[place] & 127) }

    /// Whether the same signal of the same satellite stands at two places.
    @inline(__always)
    func isSame(_ a: Int, _ b: Int) -> Bool {
        a < count && b < count && key(a) == key(b)
    }
}

extension SatelliteSignal {
    /// Orders by satellite, then by signal; the lowest seven bits are free.
    @inline(__always)
    var sortKey: UInt32 {
        (UInt32(id.constellation.rawValue) << 16 | UInt32(id.svid) << 8 | UInt32(signal)) << 7
    }
}
