// SPDX-License-Identifier: MIT
import GNSS

/// What a complete list takes the place of: all that is listed of the same constellation and signal,
/// and all that its talker has listed of its signals.
struct ReplacedSignals {
    private let origin: ListOrigin
    /// For each constellation a bit for each signal that is replaced, whoever listed it.
    private var listed = Constellation.Table<UInt16>(repeating: 0)

    /// `constellation` is the talker's own, which a list without satellites clears.
    init(_ list: SatelliteList, _ constellation: Constellation?) {
        origin = list.origin
        for signal in list.signals {
            listed[Int(signal.id.constellation.rawValue)] |= Self.bit(signal)
        }
        if list.signals.isEmpty, let constellation {
            listed[Int(constellation.rawValue)] = origin.signalIDs == 1 ? .max : origin.signalIDs
        }
    }

    /// Whether it replaces a signal that a list of that talker had.
    func contains(_ old: SatelliteSignal, of talker: UInt16) -> Bool {
        let own = talker == origin.talker ? origin.signalIDs : 0
        return (listed[Int(old.id.constellation.rawValue)] | own) & Self.bit(old) != 0
    }

    private static func bit(_ signal: SatelliteSignal) -> UInt16 {
        1 << UInt16(signal.signal & 15)
    }
}
