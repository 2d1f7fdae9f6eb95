// SPDX-License-Identifier: MIT

/// One list of satellites under way: the parts of a talker follow each other.
struct PartialSatelliteSet: Sendable {
    var talker: Contributor
    var total = 0
    var next = 1
    var signalIDs: UInt16 = 0
    var signals: [SatelliteSignal] = []

    init(talker: Contributor) {
        self.talker = talker
    }
}

/// What a complete list takes the place of.
struct ReplacedSignals {
    private let talker: Contributor
    private let signalIDs: UInt16
    /// The constellation that a list without satellites clears.
    private let cleared: Constellation?
    private let clearsEverySignal: Bool
    /// For each constellation the signals that are listed.
    private var listed = InlineArray<7, UInt16>(repeating: 0)

    /// `constellation` is the talker's own.
    init(_ set: PartialSatelliteSet, _ constellation: Constellation?) {
        talker = set.talker
        signalIDs = set.signalIDs
        cleared = set.signals.isEmpty ? constellation : nil
        clearsEverySignal = set.signalIDs == 1
        for signal in set.signals {
            listed[Int(signal.id.constellation.rawValue)] |= Self.bit(signal)
        }
    }

    @inline(__always)
    func contains(_ old: SatelliteSignal) -> Bool {
        let bit = Self.bit(old)
        if listed[Int(old.id.constellation.rawValue)] & bit != 0 { return true }
        if old.source == talker, signalIDs & bit != 0 { return true }
        return old.id.constellation == cleared && (clearsEverySignal || signalIDs & bit != 0)
    }

    @inline(__always)
    private static func bit(_ signal: SatelliteSignal) -> UInt16 {
        1 << UInt16(signal.signal & 15)
    }
}
