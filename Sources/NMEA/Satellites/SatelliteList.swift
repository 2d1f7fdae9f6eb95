// SPDX-License-Identifier: MIT
import GNSS

/// The list that a signal is from. A later list of the same talker with its signal id replaces it.
struct ListOrigin: Equatable, Sendable {
    let talker: UInt16
    /// One bit for each signal id of the list.
    var signalIDs: UInt16 = 0
    /// Whether the list has all satellites of all constellations.
    var isComplete = false
}

/// One talker's list of satellites, received in parts.
struct SatelliteList: Equatable, Sendable {
    /// More satellites than any receiver lists.
    static let capacity = 128

    /// The talker, and the signal ids listed so far.
    private(set) var origin: ListOrigin
    /// The signals listed so far.
    private(set) var signals: [SatelliteSignal] = []
    private var total = 0
    private var next = 1
    /// The signal id of the open part.
    private var signal: UInt8 = 0

    init(talker: UInt16) {
        origin = ListOrigin(talker: talker)
        signals.reserveCapacity(Self.capacity)
    }

    var talker: UInt16 { origin.talker }

    /// Whether some parts have been received and others have not.
    var isUnderWay: Bool { next > 1 }

    /// Opens a part whose satellites all have the same signal id; returns `false` if it does not follow
    /// the previous part.
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

    /// Closes the part; returns `true` if it is the last one.
    mutating func end() -> Bool {
        next += 1
        guard next > total else { return false }
        reset()
        return true
    }

    /// Replaces the list with one of all satellites in view, received as a whole.
    mutating func replaceAll(with all: [SatelliteSignal]) {
        reset()
        origin.signalIDs = .max
        origin.isComplete = true
        signals.removeAll(keepingCapacity: true)
        signals.append(contentsOf: all.prefix(Self.capacity))
    }

    private mutating func reset() {
        next = 1
        total = 0
    }
}
