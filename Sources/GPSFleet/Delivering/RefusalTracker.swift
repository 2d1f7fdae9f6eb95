// SPDX-License-Identifier: MIT
import GNSS

/// The messages that an engine has refused, grouped by receiver.
///
/// Either the message is unacceptable, or the engine does not know the receiver. To find out, the
/// receiver's next messages are sent. If the engine accepts one, the refused messages are sent for
/// the last time, and a second refusal is final. If it refuses several in a row, the receiver
/// pauses: its fixes stay in the spool and are sent again after the pause. Each pause is longer,
/// and more refused messages are tolerated before it, so that a long run of unacceptable messages
/// cannot block the receiver forever.
///
/// A message with which the engine fails is not refused finally before it has failed several times
/// and for a while, each time after the engine has accepted another message of the receiver. So an
/// outage loses none, also if it is interrupted.
struct RefusalTracker {
    /// The action to take after a refusal.
    enum Verdict {
        /// The message is not sent again.
        case final
        /// The receiver pauses from now on.
        case pause
        /// The receiver's other messages are sent, and show whether the engine accepts any.
        case other
    }

    private struct Receiver {
        var messages: [PendingMessage] = []
        var isPausing = false
        /// The time at which the refused messages are sent again.
        var end: MonotonicInstant
        /// The length of the next pause, before its random variation.
        var delay = Duration.seconds(10)
        /// The number of consecutive refusals after which the receiver pauses.
        var limit = 4
        /// Whether the refused messages have been sent again at least once.
        var hasWaited = false
        /// Whether a pause has ended.
        var hasPaused = false
    }

    /// The maximum of `delay`.
    private static let maximumDelay = Duration.seconds(300)
    /// The maximum of `limit`.
    private static let highestLimit = 64

    /// The number of failures, each after an accepted message, that are final.
    private static let finalFailures = 8
    /// The minimum time from the first failure to the final one.
    private static let finalFailureTime = Duration.seconds(600)
    /// The maximum number of messages in `failing`. Above it, counting starts again, which only
    /// delays final failures. Messages that a full spool drops would otherwise remain.
    private static let maximumFailing = 4096

    private var receivers: [MemberName: Receiver] = [:]
    /// The messages with which the engine fails, by id: the time of the first failure, and the
    /// number of failures after an accepted message of the same receiver.
    private var failing: [String: (since: MonotonicInstant, count: Int)] = [:]
    /// The ids of the messages whose last attempt has begun.
    private var last: Set<String> = []
    /// The reason for the last refusal.
    private(set) var lastText: String?

    /// Returns whether the engine has failed with a message too often.
    func isSuspected(_ id: String) -> Bool { failing[id] != nil }

    /// Whether at least one receiver is paused.
    var isPausing: Bool { receivers.values.contains { $0.isPausing } }

    /// Returns whether a receiver pauses.
    func isPausing(_ member: MemberName) -> Bool { receivers[member]?.isPausing ?? false }

    /// Returns whether a pause of a receiver has ended since the engine last accepted one of its
    /// messages.
    func hasPaused(_ member: MemberName) -> Bool {
        receivers[member].map { $0.hasPaused && !$0.isPausing } ?? false
    }

    /// Whether all waiting messages belong to receivers whose messages have already waited once.
    var isIdle: Bool { receivers.values.allSatisfy { $0.messages.isEmpty || $0.hasWaited } }

    /// The earliest time at which refused messages are sent again; `nil` if there are none.
    var nextEnd: MonotonicInstant? {
        receivers.values.filter { !$0.messages.isEmpty }.map(\.end).min()
    }

    /// Records the reason for a refusal.
    mutating func note(_ refusal: EngineRefusal) { lastText = refusal.text }

    /// Adds a refused message, and returns what to do next.
    mutating func add(
        _ message: PendingMessage, _ refusal: EngineRefusal, now: MonotonicInstant
    ) -> Verdict {
        note(refusal)
        let id = message.message.id
        var isLast = last.remove(id) != nil && !refusal.isOfReceiver
        if refusal.mayBeTemporary {
            if failing[id] == nil, failing.count >= Self.maximumFailing { failing.removeAll() }
            var failures = failing[id] ?? (since: now, count: 0)
            if isLast { failures.count += 1 }
            failing[id] = failures
            isLast =
                isLast && failures.count >= Self.finalFailures
                && failures.since + Self.finalFailureTime <= now
        }
        guard let member = message.member, !isLast else {
            failing[id] = nil
            return .final
        }
        var receiver = receivers[member] ?? Receiver(end: now)
        receiver.messages.append(message)
        receiver.end = now + receiver.delay * Double.random(in: 0.75...1.25)
        let pauses =
            !receiver.isPausing
            && (refusal.isOfReceiver || receiver.messages.count >= receiver.limit)
        if pauses { receiver.isPausing = true }
        receivers[member] = receiver
        return pauses ? .pause : .other
    }

    /// Removes and returns the receiver's refused messages for their last attempt. `id` is the id
    /// of the message that the engine has accepted. During a pause, returns none: all fixes of the
    /// receiver, also those that were left out, are read from the spool after it.
    mutating func sendAgain(_ member: MemberName, after id: String) -> [PendingMessage] {
        last.remove(id)
        failing[id] = nil
        guard let receiver = receivers[member], !receiver.isPausing else { return [] }
        receivers[member] = nil
        last.formUnion(receiver.messages.map(\.message.id))
        return receiver.messages
    }

    /// Ends the pauses that are over, and removes and returns their messages, whose fixes are then
    /// read from the spool again.
    mutating func takeDue(now: MonotonicInstant) -> [PendingMessage] {
        var due: [PendingMessage] = []
        for (member, var receiver) in receivers
        where !receiver.messages.isEmpty && receiver.end <= now {
            due += receiver.messages
            receiver.messages = []
            receiver.hasPaused = receiver.hasPaused || receiver.isPausing
            receiver.isPausing = false
            receiver.hasWaited = true
            receiver.delay = min(Self.maximumDelay, receiver.delay * 2)
            receiver.limit = min(Self.highestLimit, receiver.limit * 2)
            receivers[member] = receiver
        }
        return due
    }
}
