// SPDX-License-Identifier: MIT
package import GNSS
package import GPSFormats
package import GPSIO
import Glibc

/// The messages that wait for a busy bus. Messages older than a second are dropped, because other
/// devices would take a late position for the current one.
package struct NMEA2000Queue: Sendable {
    private static let lifetime = Duration.seconds(1)
    /// The maximum number of queued messages. An epoch has at most six.
    private static let limit = 64

    private struct Message: Sendable {
        var frames: ArraySlice<NMEA2000Frame>
        let expiry: MonotonicInstant
    }

    private var messages: [Message] = []
    /// The number of messages that were dropped because they were too old, or because this queue or
    /// the kernel's queue was full.
    package private(set) var droppedCount = 0

    /// Creates an empty queue.
    package init() {}

    /// Adds a message, given as its frames. Drops it if the queue is full.
    package mutating func append(_ frames: [NMEA2000Frame], at now: MonotonicInstant) {
        guard messages.count < Self.limit else {
            droppedCount += 1
            return
        }
        messages.append(Message(frames: frames[...], expiry: now + Self.lifetime))
    }

    /// Removes all messages without counting them as dropped.
    package mutating func removeAll() { messages.removeAll() }

    /// Writes frames until the bus accepts no more. Returns 0 if the queue is now empty, `EAGAIN`
    /// if messages are left, or the `errno` of another failure.
    package mutating func write(to bus: Descriptor, at now: MonotonicInstant) -> CInt {
        while let message = messages.first {
            guard let frame = message.frames.first else {
                messages.removeFirst()
                continue
            }
            let isExpired = message.expiry < now
            let bytes = CANSocket.frame(frame.identifier, frame.bytes)
            // ENOBUFS means that the interface's queue, which all programs share, is full. The
            // kernel does not report when it has space again, so the message is dropped.
            switch isExpired ? ENOBUFS : bus.write(bytes[...], by: .send).errno {
            case 0: messages[0].frames.removeFirst()
            case ENOBUFS:
                messages.removeFirst()
                droppedCount += 1
            case let error: return error
            }
        }
        return 0
    }

    /// Writes the messages as the bus accepts them, until the deadline at the latest, even if the
    /// task is cancelled.
    package func finish(writingTo bus: Descriptor, until deadline: MonotonicInstant) async {
        // A cancelled task cannot wait.
        await Task(executorPreference: bus.poller) {
            var rest = self
            let now = bus.poller.now
            while bus.poller.now < deadline, rest.write(to: bus, at: now) == EAGAIN,
                await bus.writable(until: deadline) == .ready
            {}
        }.value
    }
}
