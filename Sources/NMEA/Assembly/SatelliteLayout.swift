// SPDX-License-Identifier: MIT
import GNSS

/// Where in the view the signals of a list went, so that the next list of the same signals is put
/// there without merging it again. Without it, decode + fix takes 49 % more instructions.
struct SatelliteLayout: Sendable {
    private let talker: UInt16
    private let signalIDs: UInt16
    /// For each signal in the list's own order.
    private var places: [(sortKey: UInt32, index: Int)] = []

    init(_ list: SatelliteList) {
        talker = list.talker
        signalIDs = list.signalIDs
        places.reserveCapacity(SatelliteList.capacity)
    }

    /// Whether it is of the same list, with the same signals; where these stand in a view is found anew.
    func isInterchangeable(with other: SatelliteLayout) -> Bool {
        talker == other.talker && signalIDs == other.signalIDs
            && places.elementsEqual(other.places) { $0.sortKey == $1.sortKey }
    }

    /// Whether it is the layout of a list of this talker and these signals.
    func isOf(_ list: SatelliteList) -> Bool {
        talker == list.talker && signalIDs == list.signalIDs
    }

    /// Puts the signals in their places; false where they are not those of the list before, or where
    /// another list has replaced one of them since.
    ///
    /// Where that shows late, some are renewed already; merging finds them so.
    mutating func renew(_ view: inout [SatelliteSignal], from list: SatelliteList) -> Bool {
        guard places.count == list.signals.count, !places.isEmpty else { return false }
        let (talker, signalIDs) = (talker, signalIDs)
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
            guard view[index].talker == talker, view[index].listedIDs == signalIDs else {
                return false
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
