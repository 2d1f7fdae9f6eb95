// SPDX-License-Identifier: MIT
import GPSReceivers

/// What a simulated receiver sends, in order, with the times at which the line carries it: ten bits
/// per byte at its rate.
struct TransmitQueue {
    /// Something that happens on the line.
    enum Event {
        /// Bytes arrive together.
        case bytes([UInt8])
        /// The line has another rate from now on.
        case rate(BaudRate?)
        case plug(as: String?)
        case unplug
    }

    /// The minimum interval between pieces in seconds, and their minimum size in bytes: USB serial
    /// chips collect as many.
    private static let leastTime = 0.01
    private static let leastCount = 16

    /// The rate of the line; `nil` sends at once.
    private(set) var rate: BaudRate?
    /// Seconds from one epoch to the next.
    var period: Double
    private var events: [(due: Double, event: Event)] = []
    private var next = 0
    private var isBusyUntil = 0.0
    /// Bytes lost because the line was too slow.
    private(set) var lostByteCount = 0

    init(_ rate: BaudRate?, period: Double) {
        self.rate = rate
        self.period = period
    }

    /// The time of the next event in seconds after the first epoch; infinity if there is none.
    var due: Double { next < events.count ? events[next].due : .infinity }

    /// Removes the next event.
    mutating func removeFirst() -> Event {
        defer {
            next += 1
            if next == events.count { (events, next) = ([], 0) }
        }
        return events[next].event
    }

    /// Adds an epoch's bytes. An epoch that would be delayed by a whole period is dropped, as
    /// receivers do.
    mutating func add(_ epoch: SimulatedEpoch) {
        guard rate == nil || max(epoch.due, isBusyUntil) - epoch.due < period else {
            lostByteCount += epoch.bytes.count
            return
        }
        add(epoch.bytes, due: epoch.due)
    }

    /// Adds bytes that follow those before them.
    mutating func add(_ bytes: [UInt8], due: Double) {
        guard !bytes.isEmpty else { return }
        let start = max(due, isBusyUntil)
        guard let rate else { return append(.bytes(bytes), start) }
        let bytesPerSecond = Double(rate.rawValue) / 10
        let size = max(Self.leastCount, Int(bytesPerSecond * Self.leastTime))
        isBusyUntil = start + Double(bytes.count) / bytesPerSecond
        for first in stride(from: 0, to: bytes.count, by: size) {
            let end = min(bytes.count, first + size)
            // A piece is complete when its last bit has arrived.
            append(.bytes(Array(bytes[first..<end])), start + Double(end) / bytesPerSecond)
        }
    }

    /// Adds an event that follows the bytes before it.
    mutating func add(_ event: Event, due: Double) {
        if case .rate(let rate) = event { self.rate = rate }
        append(event, max(due, isBusyUntil))
    }

    private mutating func append(_ event: Event, _ due: Double) {
        // Events stay in order.
        events.append((max(due, events.last?.due ?? due), event))
    }
}
