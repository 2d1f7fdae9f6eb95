// SPDX-License-Identifier: MIT
import GNSS

/// Determines which signals in the satellite view a new list replaces. A list of all satellites
/// replaces every signal. Any other list replaces two groups: the signals with the same
/// constellation and signal ID from any talker, and the signals of its own talker with one of its
/// signal IDs.
struct ReplacedSignals {
    private let origin: ListOrigin
    /// For each constellation, the signal IDs whose signals are replaced regardless of their
    /// talker, one bit for each ID.
    private var listed = Constellation.Table<UInt16>(repeating: 0)

    /// Determines the signals that a list replaces. `constellation` is the constellation of the
    /// list's talker. It is used if the list is empty: the signals of this constellation are then
    /// removed.
    init(_ list: SatelliteList, _ constellation: Constellation?) {
        origin = list.origin
        for signal in list.signals {
            listed[Int(signal.id.constellation.rawValue)] |= Self.bit(signal)
        }
        if list.signals.isEmpty, let constellation {
            listed[Int(constellation.rawValue)] = origin.signalIDs == 1 ? .max : origin.signalIDs
        }
    }

    /// Returns whether the list replaces a signal from a list of the given talker.
    func contains(_ old: SatelliteSignal, of talker: UInt32) -> Bool {
        if origin.isComplete { return true }
        let own = talker == origin.talker ? origin.signalIDs : 0
        return (listed[Int(old.id.constellation.rawValue)] | own) & Self.bit(old) != 0
    }

    private static func bit(_ signal: SatelliteSignal) -> UInt16 {
        1 << UInt16(signal.signal & 15)
    }
}
