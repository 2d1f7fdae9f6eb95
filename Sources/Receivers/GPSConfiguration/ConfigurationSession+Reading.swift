// SPDX-License-Identifier: MIT
import GNSS
import UBX

extension ConfigurationSession {
    /// Performs the next action of the current phase, after the previous request has ended.
    mutating func advance(at now: MonotonicInstant) {
        switch phase {
        case .identifying(let round): identify(round, at: now)
        case .observing: startReading()
        case .reading, .rereading: readNext(at: now)
        case .resetting(let index): reset(index, at: now)
        case .applying(let index): apply(index, at: now)
        case .switchingLine(let rate, let purpose): switchLine(to: rate, purpose, at: now)
        case .checkingLine(let check): checkLine(check, at: now)
        case .watching: finishWatching()
        case .saving(let way, let index): save(way, index, at: now)
        case .restarting: restart(at: now)
        case .sending(let index): sendMessage(index, at: now)
        case .searching(let index): search(index, at: now)
        case .undoing(let index): undo(index, at: now)
        case .checkingUndo: checkUndo(at: now)
        case .finished: break
        }
    }

    /// Handles the outcome of a request.
    mutating func didFinish(
        _ exchange: Exchange, _ outcome: Exchange.Outcome, at now: MonotonicInstant
    ) {
        switch phase {
        case .reading, .rereading:
            if outcome == .silent, !exchange.isOptional { unansweredCount += 1 }
            dialect?.didRead(exchange, outcome)
            reportReading(outcome, at: now)
        case .resetting(let index): didSendReset(index, outcome)
        case .applying(let index): didApply(index, outcome)
        case .checkingLine(let check): didCheckLine(check, outcome, at: now)
        case .saving(let way, let index): didSave(way, index, outcome)
        case .restarting where outcome == .refused: fail(.refused, "refused to restart")
        case .restarting: startChecking(.restart, at: now)
        case .sending(let index): didSend(index, outcome)
        case .searching(let index): didSearch(index, outcome, at: now)
        case .undoing(let index): phase = .undoing(next: index + 1)
        case .checkingUndo: didCheckUndo(outcome)
        case .identifying, .observing, .switchingLine, .watching, .finished: break
        }
    }

    /// Requests the version, first in u-blox's protocol, then in all protocols, up to twice. Some
    /// receivers ignore the first request, and a receiver that is starting answers none.
    private mutating func identify(_ round: Int, at now: MonotonicInstant) {
        if let identity { return didIdentify(identity, at: now) }
        if round > 1, isUnidentified { return didIdentify(.unidentified, at: now) }
        // Where valid messages arrive, the answer may wait behind others in the chip's buffer.
        if let journal = request.journal, round > (monitor.count > 0 ? 4 : 1) {
            return searchFor(journal, at: now)
        }
        switch round {
        case 0: outputs.append(.write(IdentityDetector.firstQuestion))
        case _ where round <= 2 || request.journal != nil:
            outputs.append(.write(IdentityDetector.firstQuestion))
            outputs += IdentityDetector.otherQuestions.map { .write($0) }
        default: return didNotIdentify()
        }
        phase = .identifying(round: round + 1)
        wait(.milliseconds(round == 0 ? 1200 : 2000), from: now)
    }

    private mutating func didNotIdentify() {
        let searched = line.searchedRates.map(String.init).joined(separator: ", ")
        let isSilent = monitor.count == 0 && !searched.isEmpty
        let error = ConfigurationError(
            .noAnswer,
            "the receiver \(isSilent ? "sends no messages at \(searched) baud, and " : "")"
                + "does not answer requests for its version\(rateText)",
            remedy: monitor.count > 0
                ? "it sends data, so its input may be disabled or not connected, or its "
                    + "answers disabled; send messages of the manufacturer with --send FILE"
                : line.baudRate == nil
                    ? "run gpsbridge doctor"
                    : "check its power and its wiring, give its baud rate with --line-baud, or run "
                        + "gpsbridge doctor")
        // Messages that do not depend on the receiver can be sent anyway.
        guard request.onlySendsMessages else { return fail(error) }
        report.warnings.append("\(error)")
        if request.isDryRun {
            outputs.append(.progress(.changes([])))
            return finish(.done(report))
        }
        isVerified = true
        phase = .sending(next: 0)
    }

    private var rateText: String { line.baudRate.map { " at \($0) baud" } ?? "" }

    /// Whether the receiver sends data but answers no version requests, and only its baud rate is
    /// to be changed.
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
        dialect = identity.dialect(on: line)
        if let journal = request.journal { return restore(journal, identity) }
        startObserving(at: now)
    }

    /// Observes the stream for a while if the receiver does not report which messages it sends.
    mutating func startObserving(at now: MonotonicInstant) {
        phase = .observing
        if !reportsMessages { wait(.milliseconds(1500), from: now) }
    }

    /// Whether the receiver reports which messages it sends.
    var reportsMessages: Bool {
        switch identity?.family {
        case .casic, .airoha, .unicore: false
        default: true
        }
    }

    mutating func beginReading() {
        let (request, line) = (request, line)
        unansweredCount = 0
        dialect?.beginReading(request, line: line)
    }

    private mutating func startReading() {
        beginReading()
        phase = .reading
    }

    /// Reports every few seconds how far the reading has come.
    private mutating func reportReading(_ outcome: Exchange.Outcome, at now: MonotonicInstant) {
        if outcome != .silent { readingProgress.answers += 1 }
        let start = readingProgress.start ?? now
        readingProgress.start = start
        let seconds = Int(now.seconds(since: start))
        guard seconds >= readingProgress.next else { return }
        readingProgress.next = seconds + 5
        outputs.append(
            .progress(.reading(seconds: seconds, answers: readingProgress.answers)))
    }

    private mutating func readNext(at now: MonotonicInstant) {
        if let exchange = dialect?.nextRead() { return send(exchange, at: now) }
        if phase == .rereading { return didReread(at: now) }
        guard var dialect else { return }
        dialect.observe(monitor.names.sorted())
        if let exchange = dialect.nextRead() {
            self.dialect = dialect
            return send(exchange, at: now)
        }
        let messages = reportedState(dialect).configuration.messages
        report.measuredRate = monitor.rate(messages?.intervals ?? [:])
        if let rate = report.measuredRate { dialect.observe(rate: rate) }
        self.dialect = dialect
        let state = reportedState(dialect)
        report.before = report.before ?? state
        report.after = state
        warnAboutUnansweredRequests()
        outputs.append(.progress(.state(state)))
        makePlan(dialect)
    }

    /// Returns the state for the user. The messages are left out if the list may be incomplete: a
    /// receiver to which such a list is applied would no longer send the messages that are missing.
    func reportedState(_ dialect: any Dialect) -> ReceiverState {
        var state = dialect.state
        if dialect.lacksMessages { state.configuration.messages = nil }
        return state
    }

    /// Whether the receiver has answered no request for its settings.
    private var answersNothing: Bool { unansweredCount > 0 && readingProgress.answers == 0 }

    private mutating func warnAboutUnansweredRequests() {
        guard unansweredCount > 0 else { return }
        let requests = unansweredCount == 1 ? "a request" : "\(unansweredCount) requests"
        report.warnings.append(
            "the receiver did not answer \(requests), so \(answersNothing ? "none" : "not all") of "
                + "its settings are known: try again"
        )
    }

    private mutating func makePlan(_ dialect: any Dialect) {
        guard !request.isReadOnly else { return finish(.done(report)) }
        let original = request
        do {
            request = try request.completed(for: dialect)
            try plan(dialect)
            resets = request.resetsToFactory && !hasReset ? try dialect.factoryReset() : []
            // Unsupported commands are rejected here, before anything is changed.
            if let restart = request.restart { _ = try dialect.restart(restart) }
            if request.saves { _ = try dialect.savings(of: request) }
        } catch {
            return fail(error)
        }
        // Saving, a restart or a factory reset alone is not announced as "nothing to change". After
        // a factory reset, the changes are planned again. A dry run announces everything.
        if request.isDryRun || !request.configuration.isEmpty && resets.isEmpty {
            outputs.append(.progress(.changes(report.changes)))
        }
        if request.isDryRun { return finish(.done(report)) }
        // After a factory reset, the changes are planned again, beside other messages.
        if !resets.isEmpty { request = original }
        journal = ConfigurationJournal(
            receiver: dialect.state.identity.description, baudRates: journalRates)
        if resets.isEmpty {
            phase = .applying(next: 0)
        } else {
            journal?.undo = dialect.restoration()
            outputs.append(.journal(journal))
            phase = .resetting(next: 0)
        }
    }

    private mutating func plan(_ dialect: any Dialect) throws(ConfigurationError) {
        let requested = request.configuration
        do { try requested.checkRanges() } catch { throw dialect.error(.unsupported, "\(error)") }
        // Other families do not report all settings.
        if answersNothing, !requested.isEmpty,
            [.ublox, .ubloxLegacy].contains(dialect.state.identity.family)
        {
            throw dialect.error(
                .noAnswer, "answered no request for its settings\(rateText)",
                remedy:
                    "try again; if it still answers none, it is probably a clone that ignores them")
        }
        if requested.baudRate != nil, line.baudRate == nil {
            throw dialect.error(
                .unsupported, "this connection has no baud rate",
                remedy: "a chip's own USB port needs none: leave --baud out")
        }
        if requested.constellations?.isEmpty == true {
            throw dialect.error(.unsupported, "needs at least one constellation")
        }
        try checkBaudRate(dialect)
        // Unsupported settings are reported first: a higher baud rate would not help.
        let steps = try dialect.steps(to: requested)
        try checkLoad(dialect)
        // A higher baud rate is set first and a lower one last, so that the line can always carry
        // the messages.
        let faster = (requested.baudRate ?? 0) >= (line.baudRate ?? 0)
        let lineSteps = steps.filter { $0.baudRate != nil }
        let others = steps.filter { $0.baudRate == nil }
        plan = faster ? lineSteps + others : others + lineSteps
        // Without a step, the receiver already has the nearest settings that it can have, such as
        // 6.99 fixes per second for 7, or QZSS beside GPS.
        report.changes =
            plan.isEmpty
            ? [] : dialect.state.configuration.differences(to: try resolved(requested, dialect))
        warnAboutConstellations(dialect.state)
        warnAboutSatelliteNumbers(dialect.state)
    }

    private mutating func warnAboutConstellations(_ state: ReceiverState) {
        guard let constellations = request.configuration.constellations else { return }
        let family = state.identity.family
        if [.ublox, .ubloxLegacy].contains(family), constellations.contains(.gps),
            !constellations.contains(.qzss), constellations != state.configuration.constellations,
            state.supportedConstellations?.contains(.qzss) != false
        {
            report.warnings.append(
                "QZSS comes with GPS: this receiver uses both, because they share signals")
        }
        // A u-blox 7 receives one constellation at a time anyway.
        if constellations.subtracting([.sbas, .qzss]).count == 1,
            state.maximumConstellations ?? 2 > 1
        {
            report.warnings.append(
                "with one constellation alone, the receiver uses fewer satellites"
                    + ([.ublox, .ubloxLegacy].contains(family)
                        ? ", and cannot detect spoofing" : ""))
        }
        // An M8 may track Galileo without using it until it is restarted, and u-blox requires
        // that. Of the chips of these generations, only the M8 has Galileo.
        if family == .ubloxLegacy, constellations.contains(.galileo),
            state.configuration.constellations?.contains(.galileo) == false
        {
            report.warnings.append(
                "a u-blox M8 may use Galileo only after a restart: --save the settings, then "
                    + "disconnect the receiver from its power for a moment")
        }
    }

    /// Warns that NMEA up to 4.0 has no numbers for satellites of the requested constellations. u-blox
    /// chips then omit them from sentences, unless they use numbers of their own.
    private mutating func warnAboutSatelliteNumbers(_ state: ReceiverState) {
        let requested = request.configuration
        let unnumbered: Set<Constellation> = [.galileo, .beiDou]
        let wanted = unnumbered.intersection(requested.constellations ?? [])
        let lists: Set = ["GSV", "GSA"]
        guard [.ublox, .ubloxLegacy].contains(state.identity.family), !wanted.isEmpty,
            let version = requested.nmeaVersion ?? state.configuration.nmeaVersion,
            version != .v4_10, version != .v4_11,
            case .list(let messages)? = requestedMessages ?? state.configuration.messages,
            !lists.isDisjoint(with: messages.keys)
        else { return }
        let names = wanted.map(\.name).sorted().joined(separator: " and ")
        report.warnings.append(
            "sentences of NMEA \(version.rawValue) may omit satellites of \(names): "
                + "set --nmea-version 4.10")
    }

    /// Returns the requested settings, with the message selection converted to a list of names, as
    /// in `ReceiverState`.
    private func resolved(
        _ requested: ReceiverConfiguration, _ dialect: any Dialect
    ) throws(ConfigurationError) -> ReceiverConfiguration {
        var resolved = requested
        if let messages = requested.messages {
            resolved.messages = .list(try dialect.messages(of: messages))
        }
        return resolved
    }

    private var journalRates: [Int] {
        guard let rate = line.baudRate else { return [] }
        var rates = [rate]
        if let requested = request.configuration.baudRate, requested != rate {
            rates.append(requested)
        }
        return rates
    }
}

/// Records which messages a receiver sends periodically, and measures its fix rate.
struct StreamMonitor: Sendable {
    /// The names of the messages received.
    private(set) var names: Set<String> = []
    /// The number of valid messages received.
    private(set) var count = 0

    /// For each message name, the time in the latest message, and the latest differences between
    /// consecutive times, in seconds.
    private var times: [String: Times] = [:]
    /// The current run: consecutive messages of the same name, with their total number of bytes so
    /// far. Within an epoch, a receiver sends all messages of a kind in a row, such as the parts of
    /// the lists of satellites.
    private var run = (name: "", bytes: 0)
    /// The sizes in bytes of the latest complete runs, by message name.
    private var runs: [String: [Int]] = [:]

    private struct Times {
        var last: Double
        var steps: [Double] = []
    }

    mutating func note(_ message: ReceivedMessage) {
        count += 1
        guard let name = name(of: message) else { return }
        names.insert(name)
        noteSize(of: message, name)
        guard let time = time(of: message, name) else { return }
        guard var known = times[name] else { return times[name] = Times(last: time) }
        let step = time - known.last
        known.last = time
        if step > 0, step < 60 { known.steps = known.steps.suffix(15) + [step] }
        times[name] = known
    }

    private mutating func noteSize(of message: ReceivedMessage, _ name: String) {
        if run.name != name {
            if !run.name.isEmpty {
                runs[run.name] = (runs[run.name] ?? []).suffix(8) + [run.bytes]
            }
            run = (name, 0)
        }
        run.bytes += message.size
    }

    /// The number of bytes per fix, by message name: the median of up to nine fixes.
    var sizes: [String: Int] { runs.mapValues { $0.sorted()[$0.count / 2] } }

    /// Returns the fixes per second, computed from the times in messages; `nil` with fewer than three
    /// differences between times. `intervals` contains the interval of each message in fixes. A
    /// message that it lacks is assumed to be sent with every fix.
    func rate(_ intervals: [String: Int]) -> Double? {
        let all = times.map { (name: $0.key, steps: $0.value.steps) }
        guard let (name, steps) = all.max(by: { $0.steps.count < $1.steps.count }),
            steps.count >= 3
        else { return nil }
        // A restart causes an epoch at an irregular time, so the median difference is used.
        return Double(intervals[name] ?? 1) / steps.sorted()[steps.count / 2]
    }

    private func name(of message: ReceivedMessage) -> String? {
        switch message {
        case .ubx(let id, _): return UBXMessageNames.name(id)
        case .line(let line):
            let address = line.dropFirst().prefix { $0 != "," }
            guard line.hasPrefix("$"), address.count == 5, !address.hasPrefix("P") else {
                return nil
            }
            return String(address.suffix(3))
        case .casic, .unicore: return nil
        }
    }

    /// Returns the time in a message, in seconds of the day or of the week.
    private func time(of message: ReceivedMessage, _ name: String) -> Double? {
        switch message {
        case .ubx(_, let payload) where ["NAV-PVT", "NAV-SOL", "NAV-EOE"].contains(name):
            return payload.number(at: 0, count: 4).map { Double($0) / 1000 }
        case .line(let line) where ["RMC", "GGA", "ZDA", "GNS"].contains(name):
            let fields = line.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count > 1, fields[1].count >= 6, let time = Double(fields[1]) else {
                return nil
            }
            let minutes = (time / 100).rounded(.down)
            let hours = (minutes / 100).rounded(.down)
            return hours * 3600 + (minutes - hours * 100) * 60 + time - minutes * 100
        default: return nil
        }
    }
}
