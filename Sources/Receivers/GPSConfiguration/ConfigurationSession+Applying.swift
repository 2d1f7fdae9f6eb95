// SPDX-License-Identifier: MIT
import GNSS

extension ConfigurationSession {
    /// Stores the journal that undoes the step with this index, then sends the step.
    mutating func apply(_ index: Int, at now: MonotonicInstant) {
        guard plan.indices.contains(index) else { return didApplyAll() }
        let step = plan[index]
        if let undo = step.undo {
            // The last change is undone first.
            journal?.undo.insert(
                .init(bytes: undo, baudRate: step.baudRate == nil ? nil : line.baudRate), at: 0)
            outputs.append(.journal(journal))
        }
        outputs.append(.progress(.changing(step.title)))
        guard let baudRate = step.baudRate else {
            return send(Exchange(step.command, attempts: 3, settling: step.settling), at: now)
        }
        // The reply may arrive at the old or the new baud rate, or be garbled. The next request
        // shows whether the change succeeded.
        startSwitching(to: baudRate, by: step.command, .applying(index), at: now)
    }

    /// Sends a request that changes the receiver's baud rate. The baud rate of the line is changed
    /// after a delay, because the kernel does not know when the converter's buffer is empty.
    private mutating func startSwitching(
        to baudRate: Int, by command: [UInt8], _ purpose: LineSwitch, at now: MonotonicInstant
    ) {
        outputs.append(.write(command))
        phase = .switchingLine(to: baudRate, purpose)
        let transmission = command.count * 10_000 / max(line.baudRate ?? 9600, 1)
        wait(.milliseconds(100 + transmission), from: now)
    }

    /// Handles a refusal of the new baud rate, which arrives before the line is switched.
    mutating func evaluateRefusal(_ message: ReceivedMessage, ofStep index: Int) {
        guard plan.indices.contains(index),
            ExpectedReply(to: plan[index].command).part(message) == .refusal
        else { return }
        didApply(index, .refused)
    }

    mutating func switchLine(to baudRate: Int, _ purpose: LineSwitch, at now: MonotonicInstant) {
        setLine(to: baudRate)
        switch purpose {
        case .applying(let index):
            // No refusal has arrived.
            if plan.indices.contains(index), !plan[index].isRestorable { hasLastingChanges = true }
            startChecking(.step(index), at: now)
        case .undoing(let index):
            phase = .undoing(next: index + 1)
            wait(.milliseconds(150), from: now)
        }
    }

    /// Requests that the caller change the baud rate of the line after all bytes have been sent.
    private mutating func setLine(to baudRate: Int) {
        outputs.append(.setLineRate(baudRate))
        line.baudRate = baudRate
        scanner = MessageScanner()
    }

    mutating func didApply(_ index: Int, _ outcome: Exchange.Outcome) {
        let step = plan[index]
        if outcome != .refused, !step.isRestorable { hasLastingChanges = true }
        switch outcome {
        case .accepted: phase = .applying(next: index + 1)
        case _ where step.isOptional: phase = .applying(next: index + 1)
        case .refused:
            let reason = step.refusal.map { ": \($0)" } ?? ""
            fail(.refused, "refused to set \(step.title)\(reason)")
        case .silent:
            fail(.noAnswer, "did not answer the request to set \(step.title)")
        }
    }

    /// Waits until the receiver is ready after a change of the baud rate or a restart. Then its
    /// version is requested.
    mutating func startChecking(_ check: LineCheck, at now: MonotonicInstant) {
        phase = .checkingLine(check)
        // A chip needs about 100 ms before it receives at its new baud rate.
        if case .step = check {
            wait(.milliseconds(150), from: now)
        } else {
            wait(.milliseconds(500), from: now)
        }
    }

    mutating func checkLine(_ check: LineCheck, at now: MonotonicInstant) {
        guard var probe = dialect?.probe else { return }
        // Some modules need 20 seconds to start.
        if check == .restart { probe.attempts = identity?.family == .quectel ? 40 : 6 }
        send(probe, at: now)
    }

    mutating func didCheckLine(
        _ check: LineCheck, _ outcome: Exchange.Outcome, at now: MonotonicInstant
    ) {
        switch (check, outcome) {
        case (.step(let index), .accepted): phase = .applying(next: index + 1)
        case (.reset, .accepted): didReset(at: now)
        case (.restart, .accepted): didRestart()
        case (.step, _):
            let rate = line.baudRate.map { " at \($0) baud" } ?? ""
            fail(.silenced, "does not answer\(rate)")
        // The factory baud rate may be different.
        case (.reset, _), (.restart, _): search()
        }
    }

    private mutating func didApplyAll() {
        if plan.isEmpty { return didVerify() }
        outputs.append(.progress(.verifying))
        if request.readsStoredValues {
            beginReading()
        } else {
            let (steps, line) = (plan, line)
            dialect?.beginRereading(steps, line: line)
        }
        phase = .rereading
    }

    /// Compares the settings that the receiver reports with the requested ones. Settings that it
    /// does not report are verified by watching the stream.
    mutating func didReread(at now: MonotonicInstant) {
        guard let dialect else { return }
        report.after = reportedState(dialect)
        let requested = request.configuration.restricted(to: dialect.state.configuration)
        do {
            if let step = try dialect.steps(to: requested).first {
                return fail(
                    dialect.error(
                        .notApplied, "confirmed the change of \(step.title), but did not apply it"))
            }
        } catch {
            // The same call succeeded when the plan was made, so an answer is missing.
            report.warnings.append("the change could not be verified: the receiver \(error.reason)")
        }
        warnAboutMissingSettings(dialect.state.configuration)
        wasSending = !monitor.names.isEmpty
        // The replies must not count as messages of the stream.
        monitor = StreamMonitor()
        phase = .watching(until: now + watchLimit)
        wait(watchLimit, from: now)
    }

    /// Warns about requested settings that the receiver does not report after the change, so that they
    /// are not verified.
    private mutating func warnAboutMissingSettings(_ after: ReceiverConfiguration) {
        guard let before = report.before?.configuration else { return }
        // `didVerify` handles constellations, and observed messages are not read.
        let others = reportsMessages ? ["constellations"] : ["constellations", "messages"]
        // If never reported, a rate is verified by watching the stream, and a baud rate by the
        // answer to a request at that rate.
        let verified = ["rate", "baud"]
        let missing = ReceiverConfiguration.properties.filter {
            $0.value(request.configuration) != nil && $0.value(after) == nil
                && !others.contains($0.name)
                && (!verified.contains($0.name) || $0.value(before) != nil)
        }
        guard !missing.isEmpty else { return }
        let names = missing.map(\.name).joined(separator: ", ")
        report.warnings.append("the receiver accepted the change, but then did not report \(names)")
    }

    /// The maximum time for watching the stream: 2 s plus the time of four fixes at the previous or
    /// the requested rate, whichever is slower. A receiver that does not report its messages must
    /// show that it sends any, so the limit then includes two fixes after the smallest interval.
    private var watchLimit: Duration {
        let rates = [report.before?.configuration.rate ?? 1, request.configuration.rate]
        let slowest = rates.compactMap { $0 }.min() ?? 1
        let fixes = max(4, reportsMessages ? 0 : 2 + (intervals.values.min() ?? 1))
        return .milliseconds(2000 + Int(Double(fixes) * 1000 / max(slowest, 0.05)))
    }

    /// The interval in fixes of each message that the receiver sends according to the state that was
    /// read last, or else to the request; empty if neither contains messages.
    private var intervals: [String: Int] {
        let messages = report.after?.configuration.messages ?? requestedMessages
        return (messages?.intervals ?? [:]).filter { $0.value > 0 }
    }

    /// The names of the messages that every epoch must contain.
    private var expectedMessages: Set<String> {
        let always: Set = [
            "RMC", "GGA", "VTG", "GSA", "GLL", "ZDA", "NAV-PVT", "NAV-SOL", "NAV-EOE",
        ]
        return Set(intervals.filter { $0.value == 1 }.keys).intersection(always)
    }

    /// The requested messages as a list of names, as in `ReceiverState`; `nil` if they are not to be
    /// changed.
    var requestedMessages: MessageSelection? {
        // The same call succeeded when the plan was made.
        request.configuration.messages.flatMap { try? dialect?.messages(of: $0) }.map { .list($0) }
    }

    var hasSeenEnough: Bool {
        guard monitor.count > 0, expectedMessages.isSubset(of: monitor.names) else { return false }
        guard let rate = request.configuration.rate else { return true }
        return monitor.rate(intervals).map { abs($0 / rate - 1) < 0.15 } ?? false
    }

    mutating func finishWatching() {
        report.measuredRate = monitor.rate(intervals)
        let isKnown = report.after?.configuration.messages != nil
        // A UM98x sends nothing until it is configured to, and does not report what it sends.
        let wasSilent =
            !wasSending && (!request.needsMessages || identity?.family == .unicore)
        let sendsNothing = expectedMessages.isEmpty && (isKnown || wasSilent)
        guard monitor.count > 0 || sendsNothing else {
            return fail(.silenced, "sent no valid message after the change")
        }
        if let requested = request.configuration.rate, let measured = report.measuredRate,
            abs(measured / requested - 1) >= 0.15
        {
            let text = "\((measured * 10).rounded() / 10)"
            // A receiver that reports the new rate, but sends at a third rate, may be unable to
            // send faster. One that does not report the rate may have ignored the request.
            let isUnchanged = report.before?.configuration.rate.map {
                abs(measured / $0 - 1) < 0.15
            }
            if report.after?.configuration.rate == nil || isUnchanged == true {
                return fail(
                    .notApplied, "still sends \(text) fixes per second",
                    remedy: dialect?.rateRemedy)
            }
            let expected = TOMLValue.number(requested).text
            report.warnings.append(
                "the receiver sends \(text) fixes per second instead of \(expected)")
        }
        let missing = expectedMessages.subtracting(monitor.names)
        if !missing.isEmpty {
            report.warnings.append(
                "the receiver has not sent these messages yet: "
                    + missing.sorted().joined(separator: ", "))
        }
        if let warning = dialect.flatMap({ loadWarning($0) }) { report.warnings.append(warning) }
        didVerify()
    }

    /// Deletes the journal, because the new settings work.
    private mutating func didVerify() {
        if journal?.undo.isEmpty == false { outputs.append(.journal(nil)) }
        journal?.undo = []
        hasLastingChanges = hasLastingChanges || !plan.isEmpty
        isVerified = true
        if request.configuration.constellations != nil, let after = report.after,
            after.configuration.constellations == nil
        {
            report.warnings.append(
                "the receiver accepted the constellations, but does not report them: check its satellites with "
                    + "`gpsbridge monitor`")
        }
        // A receiver that does not report its messages sends those that were set or observed.
        if report.after?.configuration.messages == nil {
            let messages = requestedMessages ?? report.before?.configuration.messages
            report.after?.configuration.messages = messages
        }
        phase = .sending(next: 0)
    }

    mutating func sendMessage(_ index: Int, at now: MonotonicInstant) {
        guard request.messages.indices.contains(index) else { return startSaving() }
        let message = request.messages[index]
        let reply = ExpectedReply(to: message.bytes, isUnicore: identity?.family == .unicore)
        var exchange = Exchange(message.bytes, settling: .milliseconds(100), reply: reply)
        if let answer = message.answer { exchange.reply.expect(answer: answer) }
        outputs.append(.progress(.changing(message.text)))
        send(exchange, at: now)
    }

    mutating func didSend(_ index: Int, _ outcome: Exchange.Outcome) {
        let message = request.messages[index]
        if outcome != .refused { hasLastingChanges = true }
        let name = message.text.isEmpty ? "message \(index + 1)" : "'\(message.text)'"
        switch outcome {
        case .accepted(let answers):
            for case .line(let line) in answers { report.answers.append(line) }
            phase = .sending(next: index + 1)
        case .refused: fail(.refused, "refused \(name)")
        case .silent: fail(.noAnswer, "did not answer \(name)")
        }
    }
}

extension ReceiverConfiguration {
    /// Returns a copy that contains only the settings that are not `nil` in `state`.
    func restricted(to state: ReceiverConfiguration) -> ReceiverConfiguration {
        var restricted = ReceiverConfiguration()
        for property in Self.properties where property.value(state) != nil {
            property.copy(self, &restricted)
        }
        return restricted
    }
}

extension ConfigurationSession {
    /// Restores the previous settings, then finishes with this error.
    mutating func fail(_ error: ConfigurationError) {
        guard failure == nil else { return finish(.failed(failure ?? error, .pending)) }
        pending = nil
        if let state = stateWithoutRollback { return finish(.failed(error, state)) }
        failure = error
        outputs.append(.progress(.restoring(error)))
        search()
    }

    /// Which settings the receiver has, if there is nothing to undo; otherwise `nil`.
    private var stateWithoutRollback: ConfigurationRollback? {
        guard journal?.undo.isEmpty ?? true else { return nil }
        guard hasLastingChanges else { return .unchanged }
        return isVerified ? .kept : .partlyRestored
    }

    /// Finishes without another request, because another receiver has been connected to the line.
    /// The journal stays stored, so that the original receiver is restored when it returns.
    mutating func endBecauseReplaced() {
        guard phase != .finished else { return }
        outputs = outputs.filter { if case .journal = $0 { true } else { false } }
        let error = ConfigurationError(
            .anotherReceiver, chip: identity?.description,
            "another receiver was connected instead, and was not changed",
            remedy: "plug this one in again")
        finish(.failed(error, stateWithoutRollback ?? .pending))
    }

    /// Restores the previous settings, then finishes with an error that names the receiver.
    mutating func fail(_ code: ConfigurationError.Code, _ reason: String, remedy: String? = nil) {
        fail(ConfigurationError(code, chip: identity?.description, reason, remedy: remedy))
    }

    /// Searches for the receiver at the current baud rate of the line, then at those in the
    /// journal, then at all common ones.
    private mutating func search() {
        searchRates = Self.rates(line.baudRate, journal?.baudRates ?? [])
        probeCount = 0
        phase = .searching(next: 0)
    }

    /// Returns the baud rates to try, in order; empty for a line without a baud rate.
    private static func rates(_ current: Int?, _ likely: [Int]) -> [Int] {
        guard let current else { return [] }
        let usual = [9600, 38400, 115_200, 57600, 19200, 230_400, 460_800, 921_600, 4800]
        var rates: [Int] = []
        for rate in [current] + likely + usual where !rates.contains(rate) { rates.append(rate) }
        return rates
    }

    /// Searches for the receiver at the baud rate with this index in `searchRates`. Sends the
    /// version request up to twice, or up to six times if valid messages arrive. More requests at a
    /// wrong rate would make a u-blox chip disable its input.
    mutating func search(_ index: Int, at now: MonotonicInstant) {
        guard var probe = dialect?.probe, index < max(searchRates.count, 1) else {
            return didNotFind()
        }
        if searchRates.indices.contains(index), searchRates[index] != line.baudRate {
            setLine(to: searchRates[index])
            return wait(.milliseconds(150), from: now)
        }
        probe.attempts = 2
        (messagesBeforeProbe, probeCount) = (monitor.count, probeCount + 1)
        send(probe, at: now)
    }

    mutating func didSearch(
        _ index: Int, _ outcome: Exchange.Outcome, at now: MonotonicInstant
    ) {
        guard case .accepted = outcome else {
            // Valid messages show that the baud rate is right. The answer may still wait behind
            // others in the chip's buffer, which takes seconds to send.
            if monitor.count > messagesBeforeProbe, probeCount < 3 { return }
            probeCount = 0
            phase = .searching(next: index + 1)
            return
        }
        if failure != nil {
            phase = .undoing(next: 0)
        } else if isVerified {
            // A restart follows the verified changes. A factory reset precedes the changes.
            didRestart()
        } else {
            didReset(at: now)
        }
    }

    private mutating func didNotFind() {
        let state = stateWithoutRollback ?? .pending
        let lost = ConfigurationError(
            .silenced, chip: identity?.description,
            "does not answer at any baud rate after the restart",
            remedy: state == .pending ? nil : "unplug it, and plug it in again")
        finish(.failed(state == .pending ? pendingError(failure ?? lost) : failure ?? lost, state))
    }

    /// Returns `error` for a receiver that no longer answers. Adds a remedy if `error` has none.
    private func pendingError(_ error: ConfigurationError) -> ConfigurationError {
        let remedy =
            "unplug it, plug it in again, and start gpsbridge, which then restores the previous settings"
        return ConfigurationError(
            error.code, chip: error.chip, error.reason, remedy: error.remedy ?? remedy)
    }

    /// Sends the journal's request with this index. A refusal is ignored: the receiver may never
    /// have executed the step.
    mutating func undo(_ index: Int, at now: MonotonicInstant) {
        guard let steps = journal?.undo, steps.indices.contains(index) else {
            phase = .checkingUndo
            return
        }
        let step = steps[index]
        guard let baudRate = step.baudRate else {
            return send(Exchange(step.bytes, attempts: 3), at: now)
        }
        // The chip may already have its old baud rate.
        guard line.baudRate != nil, baudRate != line.baudRate else {
            phase = .undoing(next: index + 1)
            return
        }
        startSwitching(to: baudRate, by: step.bytes, .undoing(index), at: now)
    }

    mutating func checkUndo(at now: MonotonicInstant) {
        guard let probe = dialect?.probe else { return }
        send(probe, at: now)
    }

    mutating func didCheckUndo(_ outcome: Exchange.Outcome) {
        guard case .accepted = outcome else {
            let lost = ConfigurationError(
                .noAnswer, chip: identity?.description,
                "does not answer after its previous settings were restored")
            return finish(.failed(pendingError(failure ?? lost), .pending))
        }
        outputs.append(.journal(nil))
        if let failure {
            finish(.failed(failure, hasLastingChanges ? .partlyRestored : .restored))
        } else {
            finish(.done(report))
        }
    }

    // These functions restore the journal of another session.

    /// Starts to undo the changes of an interrupted session.
    mutating func restore(_ journal: ConfigurationJournal, _ identity: ReceiverIdentity) {
        guard journal.receiver == identity.description else {
            return finish(
                .failed(
                    ConfigurationError(
                        .anotherReceiver, chip: identity.description,
                        "the interrupted change belongs to \(journal.receiver)",
                        remedy: "plug that receiver in, or delete the journal"), .pending))
        }
        self.journal = journal
        phase = .undoing(next: 0)
    }

    /// Tries the next baud rate that the receiver may have.
    mutating func searchFor(_ journal: ConfigurationJournal, at now: MonotonicInstant) {
        if searchRates.isEmpty { searchRates = Self.rates(line.baudRate, journal.baudRates) }
        guard searchRates.count > 1 else {
            return finish(
                .failed(
                    ConfigurationError(
                        .noAnswer, chip: journal.receiver,
                        "does not answer, so its settings could not be restored",
                        remedy: "unplug it, plug it in again, and start gpsbridge again"), .pending)
            )
        }
        searchRates.removeFirst()
        setLine(to: searchRates[0])
        monitor = StreamMonitor()
        phase = .identifying(round: 0)
        wait(.milliseconds(150), from: now)
    }
}
