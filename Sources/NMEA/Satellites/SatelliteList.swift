// SPDX-License-Identifier: MIT
import GNSS

/// Identifies the list that a signal was received in. A later list from the same talker with the
/// same signal ID replaces that list.
struct ListOrigin: Equatable, Sendable {
    /// The key of the talker. For Quectel's talker PQ, which lists several systems, it contains the
    /// system ID.
    let talker: UInt32
    /// One bit for each signal ID in the list.
    var signalIDs: UInt16 = 0
    /// Whether the list contains all satellites of all constellations.
    var isComplete = false
}

/// A list of satellites from one talker, received in parts.
struct SatelliteList: Equatable, Sendable {
    /// The maximum number of signals in a list. No known receiver lists more.
    static let capacity = 128

    /// The talker of the list, and the signal IDs received so far.
    private(set) var origin: ListOrigin
    /// The signals received so far.
    private(set) var signals: [SatelliteSignal] = []
    private var total = 0
    private var next = 1
    /// The signal ID of the current part.
    private var signal: UInt8 = 0

    init(talker: UInt32) {
        origin = ListOrigin(talker: talker)
        signals.reserveCapacity(Self.capacity)
    }

    var talker: UInt32 { origin.talker }

    /// Whether some parts have been received, but not all.
    var isUnderWay: Bool { next > 1 }

    /// Begins a part, whose satellites all have the given signal ID. Returns `false` and drops the
    /// list if the part does not follow the previous one.
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

    /// Ends the part. Returns `true` if the list is now complete.
    mutating func end() -> Bool {
        next += 1
        guard next > total else { return false }
        reset()
        return true
    }

    /// Replaces the content of the list with all satellites in view, received in one message.
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
