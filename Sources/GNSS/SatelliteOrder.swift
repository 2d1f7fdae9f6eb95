// SPDX-License-Identifier: MIT

/// A set's satellites in order, by their indices: what is sorted is one word each.
struct SatelliteOrder: Sendable {
    /// Sort key and index.
    private var entries: [UInt32] = []
    private var position = 0

    /// Makes an order with room for up to 128 satellites.
    init(capacity: Int) {
        entries.reserveCapacity(capacity)
    }

    /// Sorts a set, and begins to walk through it.
    mutating func begin(_ signals: ArraySlice<SatelliteSignal>) {
        position = 0
        entries.removeAll(keepingCapacity: true)
        for index in signals.indices { entries.append(signals[index].sortKey | UInt32(index)) }
        var sorted = entries.mutableSpan
        // Lists are short, and many receivers send them in order.
        for index in sorted.indices.dropFirst() {
            let entry = sorted[index]
            var hole = index
            while hole > 0, sorted[hole - 1] > entry {
                sorted[hole] = sorted[hole - 1]
                hole -= 1
            }
            sorted[hole] = entry
        }
    }

    /// The index of the next satellite that comes before `end`, and whether it is the last one of
    /// several alike.
    @inline(__always)
    mutating func next(before end: UInt32) -> (index: Int, isLast: Bool)? {
        guard position < entries.count, entries[position] < end else { return nil }
        let entry = entries[position]
        position += 1
        let isLast = position == entries.count || entries[position] >> 7 != entry >> 7
        return (Int(entry & 127), isLast)
    }
}

extension SatelliteSignal {
    /// Orders by satellite, then by signal; the lowest seven bits are free.
    @inline(__always)
    var sortKey: UInt32 {
        (UInt32(id.constellation.rawValue) << 16 | UInt32(id.svid) << 8 | UInt32(signal)) << 7
    }
}
