// SPDX-License-Identifier: MIT

/// Puts a complete list into the ordered view, in the place of what it replaces.
struct SatelliteMerge: Sendable {
    /// Where each of the list's signals stands now, by its index in the list.
    private(set) var places = [Int32](repeating: 0, count: PartialSatelliteSet.capacity)

    /// Where each signal of the view before stands now; -1 where another one took its place.
    private(set) var moves: [Int32] = []

    private var order = SatelliteOrder(capacity: PartialSatelliteSet.capacity)
    /// Where the next view is put together; it keeps its room.
    private var scratch: [SatelliteSignal] = []

    init() {
        moves.reserveCapacity(PartialSatelliteSet.capacity)
        scratch.reserveCapacity(PartialSatelliteSet.capacity)
    }

    /// Merges; whether other signals are in view than before.
    mutating func merge(
        _ set: PartialSatelliteSet, _ constellation: Constellation?,
        into signals: inout [SatelliteSignal]
    ) -> Bool {
        let replaced = ReplacedSignals(set, constellation)
        order.begin(set.signals)
        moves.removeAll(keepingCapacity: true)
        scratch.removeAll(keepingCapacity: true)
        for index in signals.indices {
            let old = signals[index]
            guard !replaced.contains(old) else {
                moves.append(-1)
                continue
            }
            take(set, before: old.sortKey)
            moves.append(Int32(truncatingIfNeeded: scratch.count))
            scratch.append(old)
        }
        take(set, before: .max)
        swap(&signals, &scratch)
        return !isSame(signals, scratch)
    }

    /// Takes the list's signals up to a key, of several alike the last one.
    private mutating func take(_ set: PartialSatelliteSet, before end: UInt32) {
        while let (index, isLast) = order.next(before: end) {
            places[index] = Int32(truncatingIfNeeded: scratch.count)
            guard isLast else { continue }
            var signal = set.room[index]
            signal.source = set.talker
            scratch.append(signal)
        }
    }

    private func isSame(_ a: [SatelliteSignal], _ b: [SatelliteSignal]) -> Bool {
        guard a.count == b.count else { return false }
        var difference: UInt32 = 0
        for index in a.indices { difference |= a[index].sortKey ^ b[index].sortKey }
        return difference == 0
    }
}
