// SPDX-License-Identifier: MIT
import GNSS

/// One talker's list of satellites, of which the parts are received one after the other.
struct SatelliteList: Equatable, Sendable {
    /// More satellites than any receiver lists.
    static let capacity = 128

    let talker: UInt16
    /// The signals listed so far.
    private(set) var signals: [SatelliteSignal] = []
    /// A bit for each signal id listed.
    private(set) var signalIDs: UInt16 = 0
    private var total = 0
    private var next = 1
    /// How many signals were listed when the open part began.
    private var partStart = 0

    init(talker: UInt16) {
        self.talker = talker
        signals.reserveCapacity(Self.capacity)
    }

    /// Whether some parts have been received and others have not.
    var isUnderWay: Bool { next > 1 }

    /// Opens a part; false where it does not follow the part before.
    mutating func begin(part number: Int, of total: Int) -> Bool {
        if number == 1 {
            self.total = total
            next = 1
            signalIDs = 0
            signals.removeAll(keepingCapacity: true)
        }
        guard next == number, self.total == total else {
            reset()
            return false
        }
        partStart = signals.count
        return true
    }

    mutating func add(_ signal: SatelliteSignal) {
        if signals.count < Self.capacity { signals.append(signal) }
    }

    /// Closes the part, whose satellites all have the same signal id; true where it is the last.
    mutating func end(signal: UInt8) -> Bool {
        signalIDs |= 1 << UInt16(signal & 15)
        next += 1
        if signal != 0 {
            for index in partStart..<signals.count { signals[index].signal = signal }
        }
        guard next > total else { return false }
        reset()
        let (talker, signalIDs) = (talker, signalIDs)
        var listed = signals.mutableSpan
        for index in listed.indices {
            listed[index].talker = talker
            listed[index].listedIDs = signalIDs
        }
        return true
    }

    private mutating func reset() {
        next = 1
        total = 0
    }
}
