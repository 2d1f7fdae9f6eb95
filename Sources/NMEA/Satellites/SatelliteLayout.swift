// SPDX-License-Identifier: MIT
import GNSS

/// The positions of a list's signals in the view. The next list with the same signals is written there
/// without merging. Without this, decode + fix takes 49 % more instructions.
struct SatelliteLayout: Sendable {
    let origin: ListOrigin
    /// One element for each signal, in the list's order.
    private var places: [(sortKey: UInt32, index: Int)] = []

    init(_ list: SatelliteList) {
        origin = list.origin
        places.reserveCapacity(SatelliteList.capacity)
    }

    /// Whether both are of the same list with the same signals. Positions in a view may differ; they are
    /// looked up again.
    func hasSameState(with other: SatelliteLayout) -> Bool {
        origin == other.origin
            && places.elementsEqual(other.places) { $0.sortKey == $1.sortKey }
    }

    /// Forgets the positions: another list has replaced one of the signals.
    mutating func forget() {
        places.removeAll(keepingCapacity: true)
    }

    /// Writes the signals to their positions; returns `false` if the signals differ from the previous list's.
    ///
    /// In that case some may already be written. Merging the list then gives the same result.
    mutating func renew(_ view: inout [SatelliteSignal], from list: SatelliteList) -> Bool {
        guard places.count == list.signals.count, !places.isEmpty else { return false }
        let listed = list.signals.span
        var places = places.mutableSpan
        var view = view.mutableSpan
        for i in listed.indices {
            let key = listed[i].sortKey
            guard places[i].sortKey == key else { return false }
            // Other signals may have been added or removed before it.
            var index = places[i].index
            if index >= view.count || view[index].sortKey != key {
                index = 0
                while index < view.count, view[index].sortKey != key { index += 1 }
                guard index < view.count else { return false }
                places[i].index = index
            }
            view[index] = listed[i]
        }
        return true
    }

    /// Stores the positions of the list's signals.
    mutating func note(_ list: SatelliteList, in view: [SatelliteSignal]) {
        places.removeAll(keepingCapacity: true)
        var index = 0
        for signal in list.signals {
            // Most lists are ordered like the view: the next one follows.
            let key = signal.sortKey
            if index >= view.count || view[index].sortKey > key { index = 0 }
            while index < view.count, view[index].sortKey != key { index += 1 }
            places.append((key, index < view.count ? index : 0))
        }
    }
}
