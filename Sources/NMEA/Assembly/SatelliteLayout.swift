// SPDX-License-Identifier: MIT
import GNSS

/// Where in the view the signals of a list went, so that the next list of the same signals is put
/// there without merging it again.
///
/// Kept for its speed: without it, decode + fix takes … % longer.
struct SatelliteLayout: Sendable {
    private let talker: UInt16
    private let signalIDs: UInt16
    private let constellation: Constellation?
    /// The arrangement of the view that the places are of.
    private var arrangement = -1
    /// For each signal in the list's own order.
    private var places: [(sortKey: UInt32, index: Int)] = []

    init(_ list: SatelliteList, _ constellation: Constellation?) {
        talker = list.talker
        signalIDs = list.signalIDs
        self.constellation = constellation
        places.reserveCapacity(SatelliteList.capacity)
    }

    /// Whether it is the layout of a list of this talker and these signals.
    func isOf(_ list: SatelliteList, _ constellation: Constellation?) -> Bool {
        talker == list.talker && signalIDs == list.signalIDs && self.constellation == constellation
    }

    /// Puts the signals in their places; false where they are not those of the list before.
    ///
    /// Where that shows late, some are renewed already; merging finds them so.
    func renew(
        _ view: inout [SatelliteSignal], from list: SatelliteList, _ arrangement: Int
    ) -> Bool {
        guard self.arrangement == arrangement, places.count == list.signals.count else {
            return false
        }
        let listed = list.signals.span
        let places = places.span
        var view = view.mutableSpan
        for i in listed.indices {
            guard places[i].sortKey == listed[i].sortKey else { return false }
            view[places[i].index] = listed[i]
        }
        return true
    }

    /// Remembers where the list's signals stand.
    mutating func note(
        _ list: SatelliteList, in view: [SatelliteSignal], _ arrangement: Int
    ) {
        self.arrangement = arrangement
        places.removeAll(keepingCapacity: true)
        for signal in list.signals {
            let index = view.firstIndex { $0.sortKey == signal.sortKey } ?? 0
            places.append((signal.sortKey, index))
        }
    }
}
