// SPDX-License-Identifier: MIT
package import GNSS
import GPSReceivers

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
package struct ConfigurationSession: Sendable {
    /// An action for the caller. Carry out actions in order.
    package enum Output: Hashable, Sendable {
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

    var request: ConfigurationRequest
    var line: ConfigurationLine
    var phase = Phase.identifying(round: 0)
    var outputs: [Output] = []
    var pending: PendingExchange?
    private var waitsUntil: MonotonicInstant?
    /// Whether a reply arrived only after its request was repeated. On a full line, repeated
    /// requests and their replies would delay all others.
    private var repliesAreLate = false

    var scanner = MessageScanner()
    var monitor = StreamMonitor()
    var dialect: (any Dialect)?
    var identity: ReceiverIdentity?
    var report = ConfigurationResult()
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
    private var savings: [ConfigurationSaving] = []
    var resets: [Exchange] = []
    var hasReset = false
    /// Whether the receiver acknowledged the last request to restore the factory settings, or does
    /// not acknowledge it.
    private var hasConfirmedReset = false
    /// Whether the changes have been verified, so that they are no longer undone.
    var isVerified = false
    /// Whether the receiver may have settings that the journal does not undo.
    var hasLastingChanges = false

    package init(_ request: ConfigurationRequest, line: ConfigurationLine) {
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
    var wakeAt: MonotonicInstant? {
        if phase == .finished { return nil }
        return pending?.deadline ?? waitsUntil
    }

    /// Handles bytes from the line. They may contain other output of the receiver between replies.
    package mutating func receive(_ bytes: [UInt8], at now: MonotonicInstant) {
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
    package mutating func next(at now: MonotonicInstant) -> Output? {
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
    /// The receiver's settings have been read for this number of seconds. The second number is how
    /// many requests it has answered: few on a slow line.
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

    private mutating func evaluateReply(_ message: ReceivedMessage, at now: MonotonicInstant) {
        guard let outcome = pending?.receive(message, at: now) else { return }
        conclude(outcome, at: now)
    }

    private mutating func pendingDidExpire(at now: MonotonicInstant) {
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

extension ConfigurationSession {
    /// Throws `.lineTooSlow`, with the calculation, if the line cannot carry the requested
    /// messages.
    func checkLoad(_ dialect: any Dialect) throws(ConfigurationError) {
        let requested = request.configuration
        let before = dialect.state.configuration
        let after = before.merging(requested)
        guard
            requested.rate != nil || requested.messages != nil || requested.baudRate != nil
                || requested.constellations != nil,
            let line = try load(of: after, measuredWith: before.constellations, dialect)
        else { return }
        guard line.baudRate <= dialect.largestBaudRate else {
            throw dialect.error(
                .unsupported, "its line supports at most \(dialect.largestBaudRate) baud")
        }
        guard !line.load.fits(line.baudRate) else { return }
        // If the line is already overloaded, messages, a rate and a baud rate that increase neither
        // the data nor its share of the line are allowed, and so are all constellations. If a factory reset follows, the
        // current load is not used, because the reset changes it.
        var current = before
        current.constellations = after.constellations
        let isReset = request.resetsToFactory && !hasReset
        if !isReset, let now = try load(of: current, measuredWith: before.constellations, dialect),
            line.load.bitsPerSecond <= now.load.bitsPerSecond * 1.001,
            line.load.fraction(of: line.baudRate) <= now.load.fraction(of: now.baudRate) * 1.001
        {
            return
        }
        let sufficient = line.load.sufficientBaudRate(limit: dialect.largestBaudRate).flatMap {
            canSet(baudRate: $0, dialect) ? $0 : nil
        }
        throw dialect.error(
            .lineTooSlow, line.load.calculation(for: line.baudRate),
            remedy: sufficient.map { "use --baud \($0), or fewer messages" }
                ?? "use fewer messages, or a lower rate")
    }

    /// Throws `.unsupported` if the requested baud rate is not one of the common rates at which the
    /// program searches for receivers. After a restart, it would not find the receiver at an
    /// uncommon rate.
    func checkBaudRate(_ dialect: any Dialect) throws(ConfigurationError) {
        let common = BaudRate.common.map(\.rawValue).sorted()
        guard let baudRate = request.configuration.baudRate, baudRate != line.baudRate,
            !common.contains(baudRate)
        else { return }
        let nearest = [common.last { $0 < baudRate }, common.first { $0 > baudRate }]
        let options = nearest.compactMap { $0.map { "--baud \($0)" } }
        throw dialect.error(
            .unsupported,
            "\(baudRate) baud is an uncommon rate, at which gpsbridge would not find the receiver again",
            remedy: "use \(options.joined(separator: " or "))")
    }

    /// Returns whether the receiver has a command for a baud rate.
    private func canSet(baudRate: Int, _ dialect: any Dialect) -> Bool {
        var rateAlone = ReceiverConfiguration()
        rateAlone.baudRate = baudRate
        // An error means that the receiver has no such command.
        return (try? dialect.steps(to: rateAlone)) != nil
    }

    /// Returns a warning if the line cannot carry the messages that the receiver sends after the
    /// change, according to the message sizes measured since then; otherwise `nil`.
    func loadWarning(_ dialect: any Dialect) -> String? {
        var configuration = dialect.state.configuration
        // Some chips do not report their constellations.
        configuration.constellations =
            configuration.constellations ?? request.configuration.constellations
        // The same call succeeded when the plan was made.
        guard
            let line = try? load(
                of: configuration, measuredWith: configuration.constellations, dialect),
            !line.load.fits(line.baudRate)
        else { return nil }
        return "messages may be lost: " + line.load.calculation(for: line.baudRate)
    }

    /// Returns the load of the line with a configuration, and the configured baud rate; `nil` if
    /// either is not known, or if the line is not limited by a baud rate. Uses the sizes of the
    /// messages in the stream, which were measured with the constellations `measured`.
    private func load(
        of configuration: ReceiverConfiguration, measuredWith measured: Set<Constellation>?,
        _ dialect: any Dialect
    ) throws(ConfigurationError) -> (load: LineLoad, baudRate: Int)? {
        // A pseudo terminal or the chip's USB port does not limit the data to its baud rate.
        guard dialect.state.port?.hasPrefix("UART") ?? true, let lineRate = line.baudRate,
            let selection = configuration.messages, let rate = configuration.rate
        else { return nil }
        let load = LineLoad(
            messages: try dialect.messages(of: selection),
            constellations: globalCount(of: configuration.constellations), rate: rate,
            factors: LineLoad.factors(
                of: monitor.sizes, constellations: globalCount(of: measured)))
        return (load, configuration.baudRate ?? lineRate)
    }
}

/// Returns the number of constellations with worldwide coverage; four if it is not known.
private func globalCount(of constellations: Set<Constellation>?) -> Int {
    constellations?.intersection(ConstellationPlan.global).count ?? 4
}

extension ConfigurationSession {
    mutating func startSaving() {
        guard request.saves, let dialect else {
            phase = .restarting
            return
        }
        do {
            savings = try dialect.savings(of: request)
        } catch {
            return fail(error)
        }
        phase = .saving(way: 0, next: 0)
    }

    mutating func save(_ way: Int, _ index: Int, at now: MonotonicInstant) {
        guard savings.indices.contains(way) else {
            return fail(
                .refused, "refused to save the settings", remedy: savings.last?.remedy)
        }
        let saving = savings[way]
        guard saving.requests.indices.contains(index) else {
            report.saved = saving.saved
            phase = .restarting
            return
        }
        // Writing to flash takes time.
        let exchange = Exchange(
            saving.requests[index], attempts: 3, timeout: .seconds(3), settling: .milliseconds(100))
        send(exchange, at: now)
    }

    mutating func didSave(_ way: Int, _ index: Int, _ outcome: Exchange.Outcome) {
        switch outcome {
        case .accepted: phase = .saving(way: way, next: index + 1)
        case .refused: phase = .saving(way: way + 1, next: 0)
        // The next element of `savings` may use another memory, so it is tried only after a
        // refusal.
        case .silent:
            fail(
                .noAnswer, "did not confirm that it saved the settings",
                remedy: savings[way].remedy)
        }
    }

    /// Restarts the receiver if requested; otherwise finishes.
    mutating func restart(at now: MonotonicInstant) {
        guard let restart = request.restart, let dialect else {
            return finish(.done(report))
        }
        do {
            outputs.append(.restartExpected)
            send(try dialect.restart(restart), at: now)
        } catch {
            fail(error)
        }
    }

    /// Finishes after a restart. u-blox chips restart only their navigation, and keep all settings.
    /// Others may have only their saved settings then.
    mutating func didRestart() {
        let hasChanged = !plan.isEmpty || !request.messages.isEmpty
        switch identity?.family {
        case .ublox, .ubloxLegacy: break
        default:
            if hasChanged, report.saved == nil {
                let canSave = (try? dialect?.savings(of: request)) != nil
                report.warnings.append(
                    "the changes were not saved with --save, so the receiver may have discarded them "
                        + "at the restart" + (canSave ? ": use --save" : ""))
            }
        }
        finish(.done(report))
    }

    /// Sends the request with this index to restore the factory settings.
    mutating func reset(_ index: Int, at now: MonotonicInstant) {
        guard resets.indices.contains(index) else {
            return startChecking(.reset, at: now)
        }
        if index == 0 { outputs.append(.restartExpected) }
        send(resets[index], at: now)
    }

    /// Handles the outcome of a request to restore the factory settings. The acknowledgement of the
    /// last one may be lost, because the baud rate changes, too.
    mutating func didSendReset(_ index: Int, _ outcome: Exchange.Outcome) {
        let isLast = index + 1 == resets.count
        guard outcome == .refused || outcome == .silent && !isLast else {
            hasConfirmedReset = outcome != .silent
            phase = .resetting(next: index + 1)
            return
        }
        if index == 0 {
            // Nothing was changed that the journal could undo.
            outputs.append(.journal(nil))
            journal = nil
        }
        let isRefused = outcome == .refused
        if !isRefused { hasLastingChanges = true }
        fail(
            isRefused ? .refused : .noAnswer,
            (isRefused ? "refused" : "did not answer the request")
                + " to restore the factory settings")
    }

    /// Continues after the factory settings were restored: reads the new state, then applies the
    /// requested settings.
    mutating func didReset(at now: MonotonicInstant) {
        (hasReset, hasLastingChanges) = (true, true)
        let hasSameRate = journal?.baudRates.first == line.baudRate
        outputs.append(.journal(nil))
        journal = nil
        // The changes, and the warnings about them, are planned again.
        report.warnings = []
        // At another baud rate, the acknowledgement may have been lost.
        if !hasConfirmedReset, hasSameRate {
            report.warnings.append(
                "the receiver did not confirm that it restored the factory settings: check them")
        }
        monitor = StreamMonitor()
        startObserving(at: now)
    }
}
