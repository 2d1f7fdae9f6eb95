// SPDX-License-Identifier: MIT
import GNSS

/// Where in the view the signals of a list went, so that the next list of the same signals is put
/// there without merging it again. Without it, decode + fix takes 49 % more instructions.
struct SatelliteLayout: Sendable {
    let origin: ListOrigin
    /// For each signal in the list's own order.
    private var places: [(sortKey: UInt32, index: Int)] = []

    init(_ list: SatelliteList) {
        origin = list.origin
        places.reserveCapacity(SatelliteList.capacity)
    }

    /// Whether it is of the same list, with the same signals; where these stand in a view is found anew.
    func isInterchangeable(with other: SatelliteLayout) -> Bool {
        origin == other.origin
            && places.elementsEqual(other.places) { $0.sortKey == $1.sortKey }
    }

    /// Forgets the places, since another list has replaced one of the signals.
    mutating func forget() {
        places.removeAll(keepingCapacity: true)
    }

    /// Puts the signals in their places; false where they are not those of the list before.
    ///
    /// Where that shows late, some are renewed already; merging finds them so.
    mutating func renew(_ view: inout [SatelliteSignal], from list: SatelliteList) -> Bool {
        guard places.count == list.signals.count, !places.isEmpty else { return false }
        let listed = list.signals.span
        var places = places.mutableSpan
        var view = view.mutableSpan
        for i in listed.indices {
            let key = listed[i].sortKey
            guard places[i].sortKey == key else { return false }
            // Others may have come before it, or gone.
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

    /// Remembers where the list's signals stand.
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
