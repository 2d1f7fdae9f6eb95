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
    /// The signal of the open part.
    private var signal: UInt8 = 0

    init(talker: UInt16) {
        self.talker = talker
        signals.reserveCapacity(Self.capacity)
    }

    /// Whether some parts have been received and others have not.
    var isUnderWay: Bool { next > 1 }

    /// Opens a part, of which all satellites have the same signal id; false where it does not follow the
    /// part before.
    mutating func begin(part number: Int, of total: Int, signal: UInt8) -> Bool {
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
        self.signal = signal
        signalIDs |= 1 << UInt16(signal & 15)
        return true
    }

    @inline(__always)
    mutating func add(_ signal: SatelliteSignal) {
        guard signals.count < Self.capacity else { return }
        var signal = signal
        signal.signal = self.signal
        signal.talker = talker
        signal.listedIDs = signalIDs
        signals.append(signal)
    }

    /// Closes the part; true where it is the last.
    mutating func end() -> Bool {
        next += 1
        guard next > total else { return false }
        reset()
        // Of a list with several signals only the last part knew all of them.
        if let first = signals.first, first.listedIDs != signalIDs {
            for index in signals.indices { signals[index].listedIDs = signalIDs }
        }
        return true
    }

    private mutating func reset() {
        next = 1
        total = 0
    }
}
