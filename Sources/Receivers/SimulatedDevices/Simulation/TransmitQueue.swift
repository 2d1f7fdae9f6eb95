// SPDX-License-Identifier: MIT
import GPSReceivers

/// The bytes that a simulated receiver sends, with the times at which they arrive. Each byte takes
/// ten bits at the baud rate.
struct TransmitQueue {
    /// An event on the line: arriving bytes, a change of the baud rate, plugging or unplugging.
    enum Event {
        /// Bytes arrive at the reader together.
        case bytes([UInt8])
        /// The baud rate changes.
        case rate(BaudRate?)
        case plug(as: String?)
        case unplug
    }

    /// The duration of a chunk on the line in seconds, unless `minimumCount` makes it longer. USB
    /// serial chips collect bytes in a similar way.
    private static let minimumTime = 0.01
    /// The minimum size of a chunk in bytes.
    private static let minimumCount = 16

    /// The baud rate; `nil` for USB: bytes are sent immediately.
    private(set) var rate: BaudRate?
    /// The time between epochs in seconds.
    var period: Double
    private var events: [(due: Double, event: Event)] = []
    private var next = 0
    private var isBusyUntil = 0.0

    init(_ rate: BaudRate?, period: Double) {
        self.rate = rate
        self.period = period
    }

    /// The time of the next event in seconds after the first epoch; infinity if there is none.
    var due: Double { next < events.count ? events[next].due : .infinity }

    /// Removes and returns the next event.
    mutating func removeFirst() -> Event {
        defer {
            next += 1
            // A saturated line always has further events, so also remove past events after every
            // 64.
            if next == events.count || next > 64 {
                events.removeFirst(next)
                next = 0
            }
        }
        return events[next].event
    }

    /// Adds the bytes of an epoch. Like real receivers, drops an epoch that would be delayed by a
    /// whole period.
    mutating func add(_ epoch: SimulatedEpoch) {
        if rate == nil || max(epoch.due, isBusyUntil) - epoch.due < period {
            add(epoch.bytes, due: epoch.due)
        }
    }

    /// Adds bytes, which are sent when the line is free, at the earliest at `due`.
    mutating func add(_ bytes: [UInt8], due: Double) {
        guard !bytes.isEmpty else { return }
        let start = max(due, isBusyUntil)
        guard let rate else { return append(.bytes(bytes), start) }
        let bytesPerSecond = Double(rate.rawValue) / 10
        let size = max(Self.minimumCount, Int(bytesPerSecond * Self.minimumTime))
        isBusyUntil = start + Double(bytes.count) / bytesPerSecond
        for first in stride(from: 0, to: bytes.count, by: size) {
            let end = min(bytes.count, first + size)
            // A chunk is complete when its last bit has arrived.
            append(.bytes(Array(bytes[first..<end])), start + Double(end) / bytesPerSecond)
        }
    }

    /// Adds an event, which occurs after all bytes added before, at the earliest at `due`.
    mutating func add(_ event: Event, due: Double) {
        if case .rate(let rate) = event { self.rate = rate }
        append(event, max(due, isBusyUntil))
    }

    private mutating func append(_ event: Event, _ due: Double) {
        // Events stay in order.
        events.append((max(due, events.last?.due ?? due), event))
    }
}
