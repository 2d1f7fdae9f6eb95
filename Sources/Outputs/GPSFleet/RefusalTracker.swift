// SPDX-License-Identifier: MIT
import GNSS

/// The messages that a server has refused, grouped by receiver.
///
/// The cause of a refusal may be the message, or the receiver, which the server may not know. To
/// find out, the receiver's next messages are sent. If the server accepts one of them, the refused
/// messages are sent for the last time, and a second refusal is final. If the server refuses
/// several messages in a row, sending is paused for the receiver: its fixes stay in the spool and
/// are sent again after the pause. Each pause is longer than the previous one, and more refusals
/// are tolerated before it, so that a long run of unacceptable messages cannot block the receiver
/// forever.
///
/// A server may also fail while it stores a message, without refusing it. Such a message is given
/// up only after several failures and at least ten minutes. A failure counts only if the server has
/// accepted another message of the receiver before it. So an outage loses no message, even if it is
/// interrupted.
struct RefusalTracker {
    /// The action to take after a refusal.
    enum Action {
        /// The message is not sent again.
        case giveUp
        /// Sending is paused for the receiver.
        case pause
        /// The receiver's other messages are sent, and show whether the server accepts any.
        case sendOthers
    }

    private struct Receiver {
        var messages: [PendingMessage] = []
        var isPausing = false
        /// The time at which the refused messages are sent again.
        var end: MonotonicInstant
        /// The length of the next pause, before its random variation.
        var delay = Duration.seconds(10)
        /// The number of consecutive refusals after which sending is paused for the receiver.
        var limit = 4
        /// Whether the refused messages have been sent again at least once.
        var hasWaited = false
        /// Whether a pause in sending for the receiver has ended.
        var hasPaused = false
    }

    /// The maximum of `Receiver.delay`.
    private static let maximumDelay = Duration.seconds(300)
    /// The maximum of `Receiver.limit`.
    private static let highestLimit = 64

    /// The number of failures after which a message is given up. A failure counts only if the
    /// server has accepted another message of the receiver before it.
    private static let finalFailures = 8
    /// The minimum time from the first failure to the final one.
    private static let finalFailureTime = Duration.seconds(600)
    /// The maximum number of messages in `failing`. When it is reached, all counts start again,
    /// which only delays final failures. Without the limit, messages whose fixes were dropped from
    /// a full spool would remain forever.
    private static let maximumFailing = 4096

    private var receivers: [MemberName: Receiver] = [:]
    /// The messages that the server has failed to store, by id: the time of the first failure, and
    /// the number of failures after an accepted message of the same receiver.
    private var failing: [String: (since: MonotonicInstant, count: Int)] = [:]
    /// The ids of the messages that have been queued for their last attempt.
    private var last: Set<String> = []
    /// The reason for the last refusal.
    private(set) var lastText: String?

    /// Returns whether the message with this id may itself be the cause of the server's failures to
    /// store it.
    func isSuspected(_ id: String) -> Bool { failing[id] != nil }

    /// Whether sending is paused for at least one receiver.
    var isPausing: Bool { receivers.values.contains { $0.isPausing } }

    /// Returns whether sending is paused for a receiver.
    func isPausing(_ member: MemberName) -> Bool { receivers[member]?.isPausing ?? false }

    /// Returns whether a pause in sending for a receiver has ended since the server last accepted
    /// one of its messages.
    func hasPaused(_ member: MemberName) -> Bool {
        receivers[member].map { $0.hasPaused && !$0.isPausing } ?? false
    }

    /// Whether every receiver's refused messages, if there are any, have been sent again at least
    /// once.
    var isIdle: Bool { receivers.values.allSatisfy { $0.messages.isEmpty || $0.hasWaited } }

    /// The earliest time at which refused messages are sent again; `nil` if there are none.
    var nextEnd: MonotonicInstant? {
        receivers.values.filter { !$0.messages.isEmpty }.map(\.end).min()
    }

    /// Stores the reason for a refusal in `lastText`.
    mutating func note(_ refusal: EngineRefusal) { lastText = refusal.text }

    /// Adds a refused message, and returns what to do next.
    mutating func add(
        _ message: PendingMessage, _ refusal: EngineRefusal, now: MonotonicInstant
    ) -> Action {
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
            return .giveUp
        }
        var receiver = receivers[member] ?? Receiver(end: now)
        receiver.messages.append(message)
        receiver.end = now + receiver.delay * Double.random(in: 0.75...1.25)
        let pauses =
            !receiver.isPausing
            && (refusal.isOfReceiver || receiver.messages.count >= receiver.limit)
        if pauses { receiver.isPausing = true }
        receivers[member] = receiver
        return pauses ? .pause : .sendOthers
    }

    /// Removes and returns the receiver's refused messages for their last attempt. `id` is the id
    /// of the message that the server has accepted. Returns none during a pause, after which all
    /// fixes of the receiver are read from the spool again.
    mutating func sendAgain(_ member: MemberName, after id: String) -> [PendingMessage] {
        last.remove(id)
        failing[id] = nil
        guard let receiver = receivers[member], !receiver.isPausing else { return [] }
        receivers[member] = nil
        last.formUnion(receiver.messages.map(\.message.id))
        return receiver.messages
    }

    /// Removes and returns the refused messages that have waited long enough, so that their fixes
    /// are read from the spool again. Ends the pauses of their receivers.
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
