// SPDX-License-Identifier: MIT
import GNSS

/// What a complete list takes the place of: all that is listed of the same constellation and signal,
/// and all that its talker has listed of its signals.
struct ReplacedSignals {
    private let talker: UInt16
    private let signalIDs: UInt16
    /// For each constellation a bit for each signal that is replaced, whoever listed it.
    private var listed = Constellation.Table<UInt16>(repeating: 0)

    /// `constellation` is the talker's own, which a list without satellites clears.
    init(_ list: SatelliteList, _ constellation: Constellation?) {
        talker = list.talker
        signalIDs = list.signalIDs
        for signal in list.signals {
            listed[Int(signal.id.constellation.rawValue)] |= Self.bit(signal)
        }
        if list.signals.isEmpty, let constellation {
            listed[Int(constellation.rawValue)] = signalIDs == 1 ? .max : signalIDs
        }
    }

    func contains(_ old: SatelliteSignal) -> Bool {
        let own = old.talker == talker ? signalIDs : 0
        return (listed[Int(old.id.constellation.rawValue)] | own) & Self.bit(old) != 0
    }

    private static func bit(_ signal: SatelliteSignal) -> UInt16 {
        1 << UInt16(signal.signal & 15)
    }
}
