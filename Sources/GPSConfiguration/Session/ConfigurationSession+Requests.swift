// SPDX-License-Identifier: MIT
import GNSS

extension ConfigurationSession {
    /// Sends a request, which ends in `didFinish`.
    mutating func send(_ exchange: Exchange, at now: MonotonicInstant) {
        if let reason = ForbiddenMessage.reason(exchange.bytes) {
            return fail(
                ConfigurationError(.forbidden, chip: identity?.description, reason), at: now)
        }
        outputs.append(.write(exchange.bytes))
        let timeout = exchange.reply.isNone ? exchange.settling : timeout(of: exchange)
        pending = Pending(exchange: exchange, deadline: now + timeout, sentAt: now)
    }

    /// A reply waits behind the output of a whole epoch, which takes long on a slow line.
    private func timeout(of exchange: Exchange) -> Duration {
        let usual: Duration =
            (line.baudRate ?? 115_200) < 38400 ? .milliseconds(2500) : .milliseconds(1500)
        return exchange.timeout ?? usual
    }

    /// The rest of a list of answers that has no end comes at once.
    private static let listPause = Duration.milliseconds(300)

    /// How long a reply that was given up may still come.
    private static let lateReplies = Duration.seconds(1)

    mutating func evaluateReply(_ message: ReceivedMessage, at now: MonotonicInstant) {
        guard var current = pending, let part = current.exchange.reply.part(message) else { return }
        switch part {
        case .refusal: return conclude(.refused, at: now)
        case .acceptance: current.isAccepted = true
        case .answer: break
        }
        // An acceptance may have content: `$PQTMCFGUART,OK,…`.
        if case .line = message {
            current.received.append(message)
        } else if part == .answer {
            current.received.append(message)
        }
        let reply = current.exchange.reply
        let hasAnswer =
            !reply.needsAnswer || current.received.contains { reply.part($0) == .answer }
        let isComplete = hasAnswer && (current.isAccepted || !reply.needsAcceptance)
        if isComplete, reply.isOpenEnded { current.deadline = now + Self.listPause }
        pending = current
        if isComplete, !reply.isOpenEnded { conclude(.accepted(current.received), at: now) }
    }

    mutating func pendingDidExpire(at now: MonotonicInstant) {
        guard var current = pending else { return }
        let reply = current.exchange.reply
        if reply.isNone { return conclude(.accepted([]), at: now) }
        if current.isAccepted, reply.isOpenEnded {
            return conclude(.accepted(current.received), at: now)
        }
        // The answer counts, even if its acknowledgement was lost.
        if reply.needsAnswer, current.received.contains(where: { reply.part($0) == .answer }) {
            return conclude(.accepted(current.received), at: now)
        }
        guard current.attempt < current.exchange.attempts else {
            return conclude(.silent, at: now)
        }
        current.attempt += 1
        current.deadline = now + timeout(of: current.exchange)
        pending = current
        outputs.append(.write(current.exchange.bytes))
    }

    private mutating func conclude(_ outcome: Exchange.Outcome, at now: MonotonicInstant) {
        guard let current = pending else { return }
        let exchange = current.exchange
        pending = nil
        // The reply to the first attempt may still come; nothing in it names its request.
        var settling = current.attempt > 1 ? Self.lateReplies : .zero
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
