// SPDX-License-Identifier: MIT

/// Puts a complete list into the ordered view, in the place of what it replaces.
struct SatelliteMerge: Sendable {
    /// Where each of the list's signals stands now, by its index in the list.
    private(set) var places = [Int32](repeating: 0, count: PartialSatelliteSet.capacity)

    /// Where each signal of the view before stands now; -1 where another one took its place.
    private(set) var moves = [Int32](repeating: 0, count: PartialSatelliteSet.capacity)

    private var order = SatelliteOrder()
    /// Where the next view is put together; it keeps its room.
    private var scratch: [SatelliteSignal] = []

    init() {
        scratch.reserveCapacity(PartialSatelliteSet.capacity)
    }

    /// Merges; whether other signals are in view than before.
    mutating func merge(
        _ set: inout PartialSatelliteSet, _ constellation: Constellation?,
        into signals: inout [SatelliteSignal]
    ) -> Bool {
        order.sort(set.room, set.count)
        while moves.count < signals.count { moves.append(0) }
        Self.weave(
            signals, &set, order, without: ReplacedSignals(set, constellation), &places, &moves,
            into: &scratch)
        swap(&signals, &scratch)
        return !Self.isSame(signals, scratch)
    }

    /// Weaves the old signals that stay and the listed ones into one order; of several listed alike
    /// the last one counts.
    private static func weave(
        _ old: [SatelliteSignal], _ set: inout PartialSatelliteSet, _ order: SatelliteOrder,
        without replaced: ReplacedSignals, _ places: inout [Int32], _ moves: inout [Int32],
        into new: inout [SatelliteSignal]
    ) {
        new.removeAll(keepingCapacity: true)
        new.append(addingCapacity: old.count + set.count) { (new: inout OutputSpan) in
            let (old, listed) = (old.span, set.room.span)
            var places = places.mutableSpan
            var moves = moves.mutableSpan
            var next = 0
            for i in 0...old.count {
                if i < old.count, replaced.contains(old[i]) {
                    moves[i] = -1
                    continue
                }
                let end = i < old.count ? old[i].sortKey : .max
                while next < order.count, order.key(next) < end {
                    let index = order.index(next)
                    places[index] = Int32(truncatingIfNeeded: new.count)
                    next += 1
                    guard !order.isSame(next, next - 1) else { continue }
                    var signal = listed[index]
                    signal.source = set.talker
                    new.append(signal)
                }
                guard i < old.count else { break }
                moves[i] = Int32(truncatingIfNeeded: new.count)
                new.append(old[i])
            }
        }
    }

    private static func isSame(_ a: [SatelliteSignal], _ b: [SatelliteSignal]) -> Bool {
        guard a.count == b.count else { return false }
        let (a, b) = (a.span, b.span)
        var difference: UInt32 = 0
        for index in a.indices { difference |= a[index].sortKey ^ b[index].sortKey }
        return difference == 0
    }
}
