// SPDX-License-Identifier: MIT
import GNSS

extension ConfigurationSession {
    /// Goes on with what the phase is for; the last request has been answered.
    mutating func advance(at now: MonotonicInstant) {
        switch phase {
        case .identifying(let round): identify(round, at: now)
        case .observing: startReading(at: now)
        case .reading, .rereading: readNext(at: now)
        case .resetting(let index): reset(index, at: now)
        case .applying(let index): apply(index, at: now)
        case .switchingLine(let rate, let purpose): switchLine(to: rate, purpose, at: now)
        case .checkingLine(let check): checkLine(check, at: now)
        case .watching: finishWatching(at: now)
        case .saving(let way, let index): save(way, index, at: now)
        case .restarting: restart(at: now)
        case .sending(let index): sendMessage(index, at: now)
        case .searching(let index): search(index, at: now)
        case .undoing(let index): undo(index, at: now)
        case .checkingUndo: checkUndo(at: now)
        case .finished: break
        }
    }

    /// A request has been answered, refused, or has stayed without an answer.
    mutating func didFinish(
        _ exchange: Exchange, _ outcome: Exchange.Outcome, at now: MonotonicInstant
    ) {
        switch phase {
        case .reading, .rereading: dialect?.didRead(exchange, outcome)
        case .resetting(let index): phase = .resetting(next: index + 1)
        case .applying(let index): didApply(index, outcome, at: now)
        case .checkingLine(let check): didCheckLine(check, outcome, at: now)
        case .saving(let way, let index): didSave(way, index, outcome, at: now)
        case .restarting: startChecking(.restart, at: now)
        case .sending(let index): didSend(index, outcome, at: now)
        case .searching(let index): didSearch(index, outcome, at: now)
        case .undoing(let index): didUndo(index, outcome, at: now)
        case .checkingUndo: didCheckUndo(outcome, at: now)
        case .identifying, .observing, .switchingLine, .watching, .finished: break
        }
    }

    /// Asks u-blox first, then all makers, twice: some receivers ignore the first question, and one
    /// that starts answers none.
    private mutating func identify(_ round: Int, at now: MonotonicInstant) {
        if let identity { return didIdentify(identity, at: now) }
        if round > 1, isUnidentified { return didIdentify(.unidentified, at: now) }
        if let journal = request.journal, round > 1 { return searchFor(journal, at: now) }
        switch round {
        case 0: outputs.append(.write(IdentityDetector.firstQuestion))
        case 1, 2:
            outputs.append(.write(IdentityDetector.firstQuestion))
            outputs += IdentityDetector.otherQuestions.map { .write($0) }
        default:
            let error = ConfigurationError(
                .noAnswer, "the receiver answers no question about its version",
                remedy: monitor.count > 0
                    ? "it sends, so its input may be off or its wire missing; --send can send its "
                        + "maker's messages" : "see gpsbridge doctor")
            // A message that needs no knowledge of the receiver can be sent all the same.
            guard !request.messages.isEmpty, request.configuration.isEmpty else {
                return fail(error, at: now)
            }
            report.warnings.append("\(error)")
            isVerified = true
            phase = .sending(next: 0)
            return
        }
        phase = .identifying(round: round + 1)
        wait(.milliseconds(round == 0 ? 1200 : 2000), from: now)
    }

    /// Whether the receiver sends, but answers no question, and only its baud rate is to be changed.
    private var isUnidentified: Bool {
        guard monitor.count > 0 else { return false }
        if let journal = request.journal {
            return journal.receiver == ReceiverIdentity.unidentified.description
        }
        var rateAlone = ReceiverConfiguration()
        rateAlone.baudRate = request.configuration.baudRate
        return request.configuration == rateAlone && !rateAlone.isEmpty
    }

    private mutating func didIdentify(_ identity: ReceiverIdentity, at now: MonotonicInstant) {
        self.identity = identity
        outputs.append(.progress(.identified(identity)))
        dialect = Dialects.dialect(for: identity, line: line)
        if let journal = request.journal { return restore(journal, identity, at: now) }
        phase = .observing
        // Receivers that do not report what they send are observed for a while.
        switch identity.family {
        case .casic, .airoha: wait(.milliseconds(1500), from: now)
        default: break
        }
    }

    mutating func beginReading() {
        let (readsStoredValues, line) = (request.readsStoredValues, line)
        dialect?.beginReading(storedValues: readsStoredValues, line: line)
    }

    private mutating func startReading(at now: MonotonicInstant) {
        beginReading()
        phase = .reading
    }

    mutating func readNext(at now: MonotonicInstant) {
        if let exchange = dialect?.nextRead() { return send(exchange, at: now) }
        if phase == .rereading { return didReread(at: now) }
        dialect?.observe(monitor.lastSeen.keys.sorted())
        guard let dialect else { return }
        report.before = report.before ?? dialect.state
        report.after = dialect.state
        report.measuredRate = monitor.rate
        outputs.append(.progress(.state(dialect.state)))
        makePlan(dialect, at: now)
    }

    private mutating func makePlan(_ dialect: any Dialect, at now: MonotonicInstant) {
        guard !request.isReadOnly else { return finish(.done(report)) }
        do {
            try plan(dialect)
            outputs.append(.progress(.changes(report.changes)))
            resets = request.resetsToFactory && !hasReset ? try dialect.factoryReset() : []
            // A command that the receiver does not have is refused before anything is changed.
            if let restart = request.restart { _ = try dialect.restart(restart) }
            if request.saves { _ = try dialect.savings(of: request.configuration) }
        } catch {
            return fail(error, at: now)
        }
        if request.isDryRun { return finish(.done(report)) }
        journal = ConfigurationJournal(
            receiver: dialect.state.identity.description, baudRates: journalRates(dialect))
        if resets.isEmpty {
            phase = .applying(next: 0)
        } else {
            journal?.undo = dialect.restoration()
            outputs.append(.journal(journal))
            phase = .resetting(next: 0)
        }
    }

    private mutating func plan(_ dialect: any Dialect) throws(ConfigurationError) {
        let wish = request.configuration
        if wish.baudRate != nil, line.baudRate == nil {
            throw dialect.error(
                .unsupported, "this connection has no baud rate",
                remedy: "USB of the chip itself needs none; leave it out")
        }
        try checkLoad(dialect)
        let steps = try dialect.steps(to: wish)
        // A faster line first, and a slower one last, so that the line carries everything between.
        let faster = (wish.baudRate ?? 0) >= (line.baudRate ?? 0)
        let lineSteps = steps.filter { $0.baudRate != nil }
        let others = steps.filter { $0.baudRate == nil }
        plan = faster ? lineSteps + others : others + lineSteps
        report.changes = dialect.state.configuration.differences(to: try resolved(wish, dialect))
        if let constellations = wish.constellations,
            constellations.subtracting([.sbas, .qzss]).count == 1
        {
            report.warnings.append(
                "one constellation alone has fewer satellites"
                    + ([.ublox, .ubloxLegacy].contains(dialect.state.identity.family)
                        ? ", and switches the chip's detection of spoofing off" : ""))
        }
    }

    /// The wish with its messages by name, as the state has them.
    private func resolved(
        _ wish: ReceiverConfiguration, _ dialect: any Dialect
    ) throws(ConfigurationError) -> ReceiverConfiguration {
        var resolved = wish
        if let messages = wish.messages {
            resolved.messages = .list(try dialect.messages(of: messages))
        }
        return resolved
    }

    /// Constellations with a dozen satellites in view; the regional ones have a few.
    private static let global: Set<Constellation> = [.gps, .glonass, .galileo, .beiDou]

    /// Refuses what the line cannot carry, with the arithmetic.
    private func checkLoad(_ dialect: any Dialect) throws(ConfigurationError) {
        let wish = request.configuration
        guard
            wish.rate != nil || wish.messages != nil || wish.baudRate != nil
                || wish.constellations != nil
        else { return }
        let all = dialect.state.configuration.merging(wish)
        // The rate of a pseudo terminal or a converter's tty is not that of the chip's USB port.
        guard dialect.state.port?.hasPrefix("UART") ?? true, let lineRate = line.baudRate,
            let selection = all.messages, let rate = all.rate
        else {
            return
        }
        let baudRate = all.baudRate ?? lineRate
        guard baudRate <= dialect.largestBaudRate else {
            throw dialect.error(
                .unsupported, "its line has at most \(dialect.largestBaudRate) baud")
        }
        let load = LineLoad(
            messages: try dialect.messages(of: selection),
            constellations: all.constellations?.intersection(Self.global).count ?? 4, rate: rate)
        guard !load.fits(baudRate) else { return }
        // A line that is overloaded already may get a lower load.
        if let before = dialect.state.configuration.rate, before >= rate, wish.messages == nil,
            wish.baudRate == nil
        {
            return
        }
        let sufficient = load.sufficientBaudRate(limit: dialect.largestBaudRate)
        let bytes = Int(load.bytesPerFix.rounded())
        throw dialect.error(
            .lineTooSlow,
            "\(bytes) bytes per fix × \(TOMLValue.number(rate).text) Hz × 10 bits = "
                + "\(Int(load.bitsPerSecond.rounded())) bit/s, more than "
                + "\(Int(LineLoad.largestShare * 100)) % of \(baudRate) baud",
            remedy: sufficient.map { "use --baud \($0), or fewer messages" }
                ?? "use fewer messages, or a lower rate")
    }

    private func journalRates(_ dialect: any Dialect) -> [Int] {
        guard let rate = line.baudRate else { return [] }
        var rates = [rate]
        if let wished = request.configuration.baudRate, wished != rate { rates.append(wished) }
        return rates
    }
}
