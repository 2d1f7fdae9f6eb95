// SPDX-License-Identifier: MIT
import GNSS

/// Identifies the satellite list that a signal was received in. A later list from the same talker
/// with the same signal ID replaces that list.
struct ListOrigin: Equatable, Sendable {
    /// The key of the talker, as in `Address.talkerKey`. For Quectel's talker PQ, which lists
    /// several systems, bit 16 and higher bits contain the system ID.
    let talker: UInt32
    /// One bit for each signal ID in the list.
    var signalIDs: UInt16 = 0
    /// Whether the list contains all satellites of all constellations, as a UBX message does.
    var isComplete = false
}

/// The satellites that a talker lists for one signal. They are renewed and expire together.
struct ListGroup: Sendable {
    var talker: UInt32
    var signal: UInt8
    var renewedAt: Int64
    var interval: Int64
    /// Whether the list contains all satellites and signals of all constellations, as a UBX message
    /// does.
    var isComplete = false
    var isExpired = false
}

/// A list of satellites from one talker, received in parts.
struct SatelliteList: Equatable, Sendable {
    /// The maximum number of signals in a list. The longest lists are those of UBX, with up to 255
    /// signals.
    static let capacity = 256
    /// The number of signals for which memory is reserved. Few lists are longer.
    static let usualCapacity = 128

    /// The talker of the list, and the signal IDs received so far.
    private(set) var origin: ListOrigin
    /// The signals received so far.
    private(set) var signals: [SatelliteSignal] = []
    /// The number of parts; 0 before the first one.
    private(set) var total = 0
    /// The number of satellites in view, as sent in the first part.
    private var inView: Int?
    private var next = 1
    /// The signal ID of the current part, which is one sentence of the list.
    private var signal: UInt8 = 0
    /// The index of the first signal of the last part; `nil` if a repetition of that part is not
    /// accepted.
    private var lastStart: Int?
    /// If the current part may repeat the previous one, the index of the next signal to compare, or
    /// `Int.max` after a difference; otherwise `nil`.
    private var compared: Int?

    /// The state of a list at the end of a part.
    enum Progress { case incomplete, complete, dropped }

    init(talker: UInt32) {
        origin = ListOrigin(talker: talker)
        signals.reserveCapacity(Self.usualCapacity)
    }

    var talker: UInt32 { origin.talker }

    /// Whether some parts have been received, but not all.
    var isUnderWay: Bool { next > 1 && next <= total }

    /// Returns whether a part with these fields is the next one of an incomplete list.
    func expects(part number: Int, of total: Int, inView: Int?) -> Bool {
        isUnderWay && number == next && total == self.total && inView == self.inView
    }

    /// Ends the time in which a repetition of the part received last is accepted.
    mutating func endRepetition() { lastStart = nil }

    /// Begins a part, whose signals have the given ID unless they are added with their own. If the
    /// part neither follows the previous one nor may repeat it, drops the list and returns `false`.
    mutating func begin(part number: Int, of total: Int, inView: Int?, signal: UInt8) -> Bool {
        if number > 1, number == next - 1, total == self.total, signal == self.signal,
            let lastStart, lastStart < signals.count
        {
            // On some lines, every sentence is sent twice.
            compared = lastStart
            return true
        }
        if number == 1 {
            self.total = total
            self.inView = inView
            next = 1
            origin.signalIDs = 0
            signals.removeAll(keepingCapacity: true)
        }
        guard next == number, self.total == total else {
            reset()
            return false
        }
        self.signal = signal
        lastStart = signals.count
        origin.signalIDs |= 1 << UInt16(signal & 15)
        return true
    }

    @inline(__always)
    mutating func add(_ signal: SatelliteSignal) {
        var signal = signal
        if signal.signal == 0 {
            signal.signal = self.signal
        } else {
            origin.signalIDs |= 1 << UInt16(signal.signal & 15)
        }
        guard compared == nil else { return compare(signal) }
        guard signals.count < Self.capacity else { return }
        signals.append(signal)
    }

    @inline(never)
    private mutating func compare(_ signal: SatelliteSignal) {
        guard let index = compared, index < signals.count, signals[index] == signal else {
            return compared = .max
        }
        compared = index + 1
    }

    /// Ends the part. Drops the list if the part has the number of the previous one, but not the
    /// same content.
    mutating func end() -> Progress {
        if let compared {
            self.compared = nil
            guard compared == signals.count else {
                reset()
                return .dropped
            }
            return .incomplete
        }
        next += 1
        return next > total ? .complete : .incomplete
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
        lastStart = nil
    }
}
