// SPDX-License-Identifier: MIT
import GNSS

/// The signals that a list replaces: every signal if it has all satellites; otherwise all signals listed for the same constellation and signal
/// id, and all signals that its talker has listed with its signal ids.
struct ReplacedSignals {
    private let origin: ListOrigin
    /// For each constellation, one bit for each signal id that is replaced, from any talker.
    private var listed = Constellation.Table<UInt16>(repeating: 0)

    /// `constellation` is the talker's own. A list without satellites clears it.
    init(_ list: SatelliteList, _ constellation: Constellation?) {
        origin = list.origin
        for signal in list.signals {
            listed[Int(signal.id.constellation.rawValue)] |= Self.bit(signal)
        }
        if list.signals.isEmpty, let constellation {
            listed[Int(constellation.rawValue)] = origin.signalIDs == 1 ? .max : origin.signalIDs
        }
    }

    /// Whether the list replaces a signal from a list of that talker.
    func contains(_ old: SatelliteSignal, of talker: UInt16) -> Bool {
        if origin.isComplete { return true }
        let own = talker == origin.talker ? origin.signalIDs : 0
        return (listed[Int(old.id.constellation.rawValue)] | own) & Self.bit(old) != 0
    }

    private static func bit(_ signal: SatelliteSignal) -> UInt16 {
        1 << UInt16(signal.signal & 15)
    }
}
