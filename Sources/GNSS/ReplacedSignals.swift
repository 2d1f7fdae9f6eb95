// SPDX-License-Identifier: MIT

/// What a complete list takes the place of: all that is listed of the same constellation and signal,
/// and all that its talker has listed of its signals.
struct ReplacedSignals {
    private let talker: Contributor
    private let signalIDs: UInt16
    /// For each constellation the signals that are replaced, whoever listed them.
    private var listed = InlineArray<7, UInt16>(repeating: 0)

    /// `constellation` is the talker's own, which a list without satellites clears.
    init(_ set: PartialSatelliteSet, _ constellation: Constellation?) {
        talker = set.talker
        signalIDs = set.signalIDs
        for signal in set.signals {
            listed[Int(signal.id.constellation.rawValue)] |= Self.bit(signal)
        }
        if set.count == 0, let constellation {
            listed[Int(constellation.rawValue)] = signalIDs == 1 ? .max : signalIDs
        }
    }

    @inline(__always)
    func contains(_ old: SatelliteSignal) -> Bool {
        let own = old.source == talker ? signalIDs : 0
        return (listed[Int(old.id.constellation.rawValue)] | own) & Self.bit(old) != 0
    }

    @inline(__always)
    private static func bit(_ signal: SatelliteSignal) -> UInt16 {
        1 << UInt16(signal.signal & 15)
    }
}
