// SPDX-License-Identifier: MIT
import GNSS

/// Remembers where the signals of a satellite list are in the view, so that the next list with the
/// same signals can be written there directly instead of being merged. Without this, decoding and
/// assembling fixes takes 49 % more instructions.
struct SatelliteLayout: Sendable {
    let origin: ListOrigin
    /// The sort key of each signal and its index in the view, in the order of the list.
    private var positions: [(sortKey: UInt32, index: Int)] = []

    init(_ list: SatelliteList) {
        origin = list.origin
        positions.reserveCapacity(SatelliteList.usualCapacity)
    }

    /// Returns whether both values belong to the same list with the same signals. The positions are
    /// not compared, because they are checked before use.
    func hasSameState(with other: SatelliteLayout) -> Bool {
        origin == other.origin
            && positions.elementsEqual(other.positions) { $0.sortKey == $1.sortKey }
    }

    /// Forgets the positions of the signals. Call it when another list has replaced one of the
    /// signals.
    mutating func forget() {
        positions.removeAll(keepingCapacity: true)
    }

    /// Writes the signals to their positions. Returns `false` if the signals differ from those of
    /// the previous list.
    ///
    /// If it returns `false`, some signals may already have been written. This does no harm,
    /// because the list is then merged, which writes all its signals again.
    mutating func renew(_ view: inout [SatelliteSignal], from list: SatelliteList) -> Bool {
        guard positions.count == list.signals.count, !positions.isEmpty else { return false }
        let listed = list.signals.span
        var positions = positions.mutableSpan
        var view = view.mutableSpan
        for i in listed.indices {
            let key = listed[i].sortKey
            guard positions[i].sortKey == key else { return false }
            // Signals of other lists may have been added or removed before this position.
            var index = positions[i].index
            if index >= view.count || view[index].sortKey != key {
                index = 0
                while index < view.count, view[index].sortKey != key { index += 1 }
                guard index < view.count else { return false }
                positions[i].index = index
            }
            view[index] = listed[i]
        }
        return true
    }

    /// Stores the positions of the list's signals in `view`.
    mutating func note(_ list: SatelliteList, in view: [SatelliteSignal]) {
        positions.removeAll(keepingCapacity: true)
        var index = 0
        for signal in list.signals {
            // Most lists have the same order as the view, so the next signal is usually at the next
            // position.
            let key = signal.sortKey
            if index >= view.count || view[index].sortKey > key { index = 0 }
            while index < view.count, view[index].sortKey != key { index += 1 }
            positions.append((key, index < view.count ? index : 0))
        }
    }
}
