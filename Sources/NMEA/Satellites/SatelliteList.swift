// SPDX-License-Identifier: MIT
import GNSS

/// Which list a signal is from: a later one of the same talker with its signal replaces it.
struct ListOrigin: Equatable, Sendable {
    let talker: UInt16
    /// A bit for each signal id of the list.
    var signalIDs: UInt16 = 0
}

/// One talker's list of satellites, of which the parts are received one after the other.
struct SatelliteList: Equatable, Sendable {
    /// More satellites than any receiver lists.
    static let capacity = 128

    /// Its talker, and the signals that it has listed so far.
    private(set) var origin: ListOrigin
    /// The signals listed so far.
    private(set) var signals: [SatelliteSignal] = []
    private var total = 0
    private var next = 1
    /// The signal of the open part.
    private var signal: UInt8 = 0

    init(talker: UInt16) {
        origin = ListOrigin(talker: talker)
        signals.reserveCapacity(Self.capacity)
    }

    var talker: UInt16 { origin.talker }

    /// Whether some parts have been received and others have not.
    var isUnderWay: Bool { next > 1 }

    /// Opens a part, of which all satellites have the same signal id; false where it does not follow the
    /// part before.
    mutating func begin(part number: Int, of total: Int, signal: UInt8) -> Bool {
        if number == 1 {
            self.total = total
            next = 1
            origin.signalIDs = 0
            signals.removeAll(keepingCapacity: true)
        }
        guard next == number, self.total == total else {
            reset()
            return false
        }
        self.signal = signal
        origin.signalIDs |= 1 << UInt16(signal & 15)
        return true
    }

    @inline(__always)
    mutating func add(_ signal: SatelliteSignal) {
        guard signals.count < Self.capacity else { return }
        var signal = signal
        signal.signal = self.signal
        signals.append(signal)
    }

    /// Closes the part; true where it is the last.
    mutating func end() -> Bool {
        next += 1
        guard next > total else { return false }
        reset()
        return true
    }

    private mutating func reset() {
        next = 1
        total = 0
    }
}
