// SPDX-License-Identifier: MIT
public import GNSS

/// Configures a receiver over a line that others keep reading: a state machine without a clock, a task
/// or a descriptor.
///
/// Pass it every byte of the line, and do what it asks for, in order:
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
/// Only one request is under way at a time. Before the first change, `.journal` has what restores the
/// receiver; a program that ends before `.finished` passes it to the next session.
public struct ConfigurationSession: Sendable {
    /// An action that the session requests; carry them out in order.
    public enum Output: Hashable, Sendable {
        /// Write these bytes.
        case write([UInt8])
        /// Wait until everything written has left (`tcdrain`), set the line to this rate, and discard
        /// unread input.
        case setLineRate(Int)
        /// Store the journal on disk before the next action; remove it for `nil`.
        case journal(ConfigurationJournal?)
        /// Tell the user.
        case progress(ConfigurationProgress)
        /// The receiver restarts: it may be silent for a moment, and send an epoch off the grid.
        case restartExpected
        /// The end. Nothing follows.
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

    /// What a change of the line's rate belongs to, by the number of the step.
    enum LineSwitch: Hashable, Sendable {
        case applying(Int)
        case undoing(Int)
    }

    /// Why the receiver is asked whether it answers.
    enum LineCheck: Hashable, Sendable {
        case step(Int)
        case reset
        case restart
    }

    struct Pending: Sendable {
        var exchange: Exchange
        var attempt = 1
        var deadline: MonotonicInstant
        var received: [ReceivedMessage] = []
        var isAccepted = false
        var sentAt: MonotonicInstant
    }

    let request: ConfigurationRequest
    var line: ConfigurationLine
    var phase = Phase.identifying(round: 0)
    var outputs: [Output] = []
    var pending: Pending?
    var waitsUntil: MonotonicInstant?

    var scanner = MessageScanner()
    var monitor = StreamMonitor()
    var dialect: (any Dialect)?
    var identity: ReceiverIdentity?
    var report = ConfigurationReport()
    var plan: [ConfigurationStep] = []
    var journal: ConfigurationJournal?
    var failure: ConfigurationError?
    /// The rates at which a receiver that was lost is searched.
    var searchRates: [Int] = []
    var watchStart: MonotonicInstant?
    var savings: [ConfigurationSaving] = []
    var resets: [Exchange] = []
    var hasReset = false
    var hasRestarted = false
    /// Whether the changes were found to work.
    var isVerified = false

    /// Creates a session.
    public init(_ request: ConfigurationRequest, line: ConfigurationLine) {
        (self.request, self.line) = (request, line)
    }

    /// Whether the session can begin anew on another line, since it has only asked so far.
    var hasOnlyAsked: Bool {
        switch phase {
        case .identifying, .observing, .reading: journal == nil && !hasReset
        default: false
        }
    }

    /// When to call `next(at:)` again even if no bytes come; `nil` at the end.
    public var wakeAt: MonotonicInstant? {
        if phase == .finished { return nil }
        return pending?.deadline ?? waitsUntil
    }

    /// Evaluates bytes of the line, which may have other output of the receiver between replies.
    public mutating func receive(_ bytes: [UInt8], at now: MonotonicInstant) {
        for message in scanner.messages(in: bytes, at: now) {
            monitor.note(message, at: now)
            if case .identifying = phase, let found = IdentityDetector.identity(of: message),
                identity == nil
            {
                identity = found
                waitsUntil = nil
            }
            evaluateReply(message, at: now)
        }
        if case .watching = phase, hasSeenEnough { waitsUntil = nil }
    }

    /// Returns what to do next; `nil` if that is to wait for bytes or for `wakeAt`.
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

/// News for the user.
public enum ConfigurationProgress: Hashable, Sendable {
    /// The receiver has identified itself.
    case identified(ReceiverIdentity)
    /// The state before anything is changed.
    case state(ReceiverState)
    /// The changes to be made.
    case changes([ConfigurationChange])
    /// A setting is being changed.
    case changing(String)
    /// The stream is checked.
    case verifying
    /// The receiver is unplugged or restarts.
    case lost
    /// Something failed, and what was is restored.
    case restoring(ConfigurationError)
}
