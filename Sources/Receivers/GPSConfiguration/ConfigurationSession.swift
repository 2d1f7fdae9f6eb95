// SPDX-License-Identifier: MIT
public import GNSS

/// Configures a receiver over a line that other consumers continue to read. It is a state machine
/// without a clock, a task or a file descriptor.
///
/// Pass it every byte of the line, and carry out its outputs in order:
///
/// ```swift
/// var session = ConfigurationSession(request, line: line)
/// while true {
///     while let output = session.next(at: .now) { … }     // returns at .finished
///     // Wait for bytes, or until session.wakeAt.
///     session.receive(bytes, at: .now)
/// }
/// ```
///
/// Only one request is in progress at a time. Before the first change, the session outputs
/// `.journal` with the requests that restore the receiver. If the program ends before `.finished`,
/// pass that journal to the next session.
public struct ConfigurationSession: Sendable {
    /// An action for the caller. Carry out actions in order.
    public enum Output: Hashable, Sendable {
        /// Write these bytes.
        case write([UInt8])
        /// Wait until all written bytes have been sent (`tcdrain`), set the baud rate of the line,
        /// and discard unread input.
        case setLineRate(Int)
        /// Store the journal on disk before the next action; `nil` deletes the stored journal.
        case journal(ConfigurationJournal?)
        /// Report progress to the user.
        case progress(ConfigurationProgress)
        /// Expect a restart of the receiver: it may pause, and send one epoch at an irregular time.
        case restartExpected
        /// The session has ended. No more outputs follow.
        case finished(ConfigurationOutcome)
    }

    enum Phase: Hashable, Sendable {
        case identifying(round: Int)
        case observing
        case reading
        case resetting(next: Int)
        case applying(next: Int)
        case switchingLine(to: Int, LineSwitch)
        case checkingLine(LineCheck)
        case rereading
        case watching(until: MonotonicInstant)
        case saving(way: Int, next: Int)
        case restarting
        case sending(next: Int)
        case searching(next: Int)
        case undoing(next: Int)
        case checkingUndo
        case finished
    }

    /// The reason for a change of the baud rate: the step of the plan, or the request of the
    /// journal, with this index.
    enum LineSwitch: Hashable, Sendable {
        case applying(Int)
        case undoing(Int)
    }

    /// The reason for checking that the receiver responds.
    enum LineCheck: Hashable, Sendable {
        case step(Int)
        case reset
        case restart
    }

    let request: ConfigurationRequest
    var line: ConfigurationLine
    var phase = Phase.identifying(round: 0)
    var outputs: [Output] = []
    var pending: PendingExchange?
    var waitsUntil: MonotonicInstant?
    /// Whether a reply arrived only after its request was repeated. On a full line, repeated
    /// requests and their replies would delay all others.
    var repliesAreLate = false

    var scanner = MessageScanner()
    var monitor = StreamMonitor()
    var dialect: (any Dialect)?
    var identity: ReceiverIdentity?
    var report = ConfigurationReport()
    /// The number of requests for settings that the receiver did not answer.
    var unansweredCount = 0
    /// The beginning of the first reading, the number of answers so far, and the number of seconds
    /// after which they are reported next.
    var readingProgress: (start: MonotonicInstant?, answers: Int, next: Int) = (nil, 0, 5)
    var plan: [ConfigurationStep] = []
    var journal: ConfigurationJournal?
    var failure: ConfigurationError?
    /// The baud rates at which to search for a lost receiver.
    var searchRates: [Int] = []
    /// The number of valid messages before the latest probe of a search.
    var messagesBeforeProbe = 0
    /// The number of probes at the current baud rate of a search.
    var probeCount = 0
    /// Whether `monitor` had recorded the name of any message when the `watching` phase began.
    var wasSending = false
    var savings: [ConfigurationSaving] = []
    var resets: [Exchange] = []
    var hasReset = false
    /// Whether the receiver acknowledged the last request to restore the factory settings, or does
    /// not acknowledge it.
    var hasConfirmedReset = false
    /// Whether the changes have been verified, so that they are no longer undone.
    var isVerified = false
    /// Whether the receiver may have settings that the journal does not undo.
    var hasLastingChanges = false

    /// Creates a session.
    public init(_ request: ConfigurationRequest, line: ConfigurationLine) {
        (self.request, self.line) = (request, line)
    }

    /// Whether the session can be restarted on another line, because it has only sent queries so
    /// far.
    var hasOnlyAsked: Bool {
        switch phase {
        case .identifying, .observing, .reading: journal == nil && !hasReset
        default: false
        }
    }

    /// Whether the request that was output last may change the settings in effect or reset the
    /// receiver.
    var isChanging: Bool {
        switch phase {
        case .resetting, .applying, .switchingLine, .sending, .restarting, .undoing: true
        default: false
        }
    }

    /// When to call `next(at:)` again even if no bytes arrive; `nil` when the session has finished.
    public var wakeAt: MonotonicInstant? {
        if phase == .finished { return nil }
        return pending?.deadline ?? waitsUntil
    }

    /// Handles bytes from the line. They may contain other output of the receiver between replies.
    public mutating func receive(_ bytes: [UInt8], at now: MonotonicInstant) {
        for message in scanner.messages(in: bytes, at: now) {
            let found = IdentityDetector.identity(of: message)
            // The answer to a version request can be a sentence, but is not sent periodically.
            if found == nil { monitor.note(message) }
            if case .identifying = phase, let found,
                identity.map(IdentityDetector.isIncomplete) ?? true
            {
                identity = found
                if !IdentityDetector.isIncomplete(found) { waitsUntil = nil }
            }
            evaluateReply(message, at: now)
            if case .switchingLine(_, .applying(let index)) = phase {
                evaluateRefusal(message, ofStep: index)
            }
        }
        if case .watching = phase, hasSeenEnough { waitsUntil = nil }
    }

    /// Returns the next action; `nil` means to wait for bytes or for `wakeAt`.
    public mutating func next(at now: MonotonicInstant) -> Output? {
        while true {
            if !outputs.isEmpty { return outputs.removeFirst() }
            if let pending {
                guard now >= pending.deadline else { return nil }
                pendingDidExpire(at: now)
            } else if let waitsUntil, now < waitsUntil {
                return nil
            } else if phase == .finished {
                return nil
            } else {
                waitsUntil = nil
                advance(at: now)
            }
        }
    }
}

/// Progress information for the user.
public enum ConfigurationProgress: Hashable, Sendable {
    /// The receiver has identified itself.
    case identified(ReceiverIdentity)
    /// The receiver's settings have been read for this number of seconds, because its line is slow.
    /// The second number is how many requests it has answered.
    case reading(seconds: Int, answers: Int)
    /// The state before any change.
    case state(ReceiverState)
    /// The changes that will be made.
    case changes([ConfigurationChange])
    /// The setting with this name is being changed, or this message is being sent.
    case changing(String)
    /// The receiver's settings and the messages that it now sends are being checked.
    case verifying
    /// The line to the receiver was lost: the receiver was unplugged or is restarting.
    case lost
    /// An error occurred, and the previous settings are being restored.
    case restoring(ConfigurationError)
    /// An earlier change, which was interrupted, has been undone. If that failed, the error is the
    /// reason.
    case recovered(ConfigurationError?)
}
