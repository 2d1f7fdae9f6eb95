// SPDX-License-Identifier: MIT
import GNSS

extension ConfigurationSession {
    /// Sends a request. `didFinish` is called with its outcome.
    mutating func send(_ exchange: Exchange, at now: MonotonicInstant) {
        if let reason = ForbiddenMessage.reason(exchange.bytes) {
            return fail(.forbidden, reason)
        }
        outputs.append(.write(exchange.bytes))
        let isReading = phase == .reading || phase == .rereading
        let timeout = line.timeout(of: exchange) * (isReading && repliesAreLate ? 2 : 1)
        pending = PendingExchange(exchange, timeout: timeout, at: now)
    }

    /// How long to wait for late replies after a request that was sent more than once.
    private static let lateReplies = Duration.seconds(1)

    mutating func evaluateReply(_ message: ReceivedMessage, at now: MonotonicInstant) {
        guard let outcome = pending?.receive(message, at: now) else { return }
        conclude(outcome, at: now)
    }

    mutating func pendingDidExpire(at now: MonotonicInstant) {
        switch pending?.expire(at: now) {
        case .concluded(let outcome): conclude(outcome, at: now)
        case .sendAgain(let bytes): outputs.append(.write(bytes))
        case nil: return
        }
    }

    private mutating func conclude(_ outcome: Exchange.Outcome, at now: MonotonicInstant) {
        guard let current = pending else { return }
        let exchange = current.exchange
        pending = nil
        // The reply to the first attempt may still arrive, and replies do not identify their
        // request.
        var settling = current.attempt > 1 ? Self.lateReplies : .zero
        if current.attempt > 1, outcome != .silent { repliesAreLate = true }
        if outcome != .silent, !exchange.reply.isNone {
            settling = max(settling, exchange.settling)
        }
        if settling > .zero { wait(settling, from: now) }
        didFinish(exchange, outcome, at: now)
    }

    mutating func wait(_ duration: Duration, from now: MonotonicInstant) {
        waitsUntil = now + duration
    }

    mutating func finish(_ outcome: ConfigurationOutcome) {
        phase = .finished
        pending = nil
        waitsUntil = nil
        outputs.append(.finished(outcome))
    }
}
