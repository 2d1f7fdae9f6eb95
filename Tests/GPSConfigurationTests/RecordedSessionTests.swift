// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestSupport
import GPSTestTraits
import Testing
import UBX

@Suite(
    .timeLimit(.generous),
    .enabled(if: !RecordedSession.all.isEmpty, "recorded sessions of receivers are not here"))
struct RecordedSessionTests {
    /// The outcome of a request.
    enum End: String { case accepted, refused, unanswered }

    /// Requests that were not accepted: the session, the run from 0, the text or the message.
    private static func expectedEnd(_ name: String, run: Int, _ bytes: [UInt8]) -> End {
        let text = String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }
        let isPoll = bytes == UBXFrame.bytes(MonVER.id, payload: [])
        switch name {
        // V5 refuses the poll of MON-VER, and one of these receivers never reports its hardware.
        // The answer to a new rate is damaged unless the rate is near the old one.
        case "casic-5n31-baud", "casic-5n71-ask":
            if bytes.starts(with: [0xBA, 0xCE, 4, 0, 6, 1]) { return .refused }
            if name.hasSuffix("ask"), text.hasPrefix("$PCAS06,1") { return .unanswered }
            return bytes.starts(with: [0xBA, 0xCE, 8, 0, 6, 0]) && run > 0 ? .unanswered : .accepted
        // The request of the other manufacturer in a probe for two manufacturers.
        case _ where name.hasPrefix("f9p") || name.hasPrefix("m101") || name.hasPrefix("x20p"):
            if text == "VERSIONB" { return .unanswered }
            return name == "f9p-signals-nak" && run == 1
                && RecordedChip.frame(bytes)?.id == CfgVALSET.id
                ? .refused : .accepted
        case "um980-no-answer": return .unanswered
        case _ where name.hasPrefix("um980"): return isPoll ? .unanswered : .accepted
        // With a lower rate, the acknowledgement is damaged.
        case "m8-baud":
            let settings = RecordedChip.frame(bytes).flatMap { CfgPRT(payload: $0.payload.span) }
            return settings?.baudRate == 9600 ? .unanswered : .accepted
        default: return .accepted
        }
    }

    @Test(arguments: RecordedSession.all)
    func `each recorded request ends as it did`(_ session: RecordedSession) {
        for (number, run) in session.runs.enumerated() {
            for (line, _) in RecordedSession.exchanges(run) {
                var request = ConfigurationRequest()
                request.messages = [DescribedMessage(line.bytes)]
                let chip = RecordedChip(session, run: number, baudRate: 115_200)
                var conversation = Conversation(request, chip, isNativeUSB: true)
                let end: End? =
                    switch conversation.run() {
                    case .done: .accepted
                    case .failed(let error, .unchanged) where error.code == .refused: .refused
                    case .failed(let error, .kept) where error.code == .noAnswer: .unanswered
                    case .failed(let error, _) where error.code == .noAnswer: .unanswered
                    default: nil
                    }
                #expect(
                    end == Self.expectedEnd(session.name, run: number, line.bytes),
                    "run \(number): \(line.bytes.map { String($0, radix: 16) })")
            }
        }
    }

    private func run(
        _ name: String, _ run: Int, baudRate: Int, values: [ConfigurationItem] = [],
        _ change: (inout ReceiverConfiguration) -> Void
    ) throws -> (outcome: ConfigurationOutcome?, conversation: Conversation<RecordedChip>)? {
        guard let session = RecordedSession.all.first(where: { $0.name == name }) else {
            return nil
        }
        var request = ConfigurationRequest()
        change(&request.configuration)
        let chip = RecordedChip(session, run: run, baudRate: baudRate, values: values)
        var conversation = Conversation(request, chip)
        return (conversation.run(), conversation)
    }

    private func expectDone(_ outcome: ConfigurationOutcome?) -> ConfigurationResult? {
        if case .done(let report)? = outcome { return report }
        Issue.record("\(String(describing: outcome))")
        return nil
    }

    @Test(arguments: [
        ("m8-baud", 0, 9600, 19200), ("m8-baud", 1, 19200, 38400), ("m8-baud", 2, 38400, 9600),
        ("m8-baud", 3, 9600, 115_200), ("m8-baud", 4, 115_200, 9600),
        ("casic-5n31-baud", 0, 9600, 19200), ("casic-5n31-baud", 1, 19200, 38400),
        ("casic-5n31-baud", 2, 9600, 115_200), ("lg290p-baud", 0, 460_800, 115_200),
        ("lg290p-baud", 1, 115_200, 230_400),
    ])
    func `a rate of the line is changed whether its answer is whole or torn`(
        _ name: String, _ number: Int, _ old: Int, _ new: Int
    ) throws {
        guard
            let (outcome, conversation) = try run(
                name, number, baudRate: old, { $0.baudRate = new })
        else { return }
        let report = expectDone(outcome)
        #expect(report?.changes.map(\.description) == ["baud: \(old) → \(new)"])
        #expect(report?.after?.configuration.baudRate == new)
        #expect(conversation.hostRate == new)
    }

    @Test func `an M8 takes GPS alone, GPS with GLONASS, and is not asked for Galileo`() throws {
        let wishes: [Set<Constellation>] = [[.gps], [.gps, .glonass], [.gps, .galileo]]
        guard let session = RecordedSession.all.first(where: { $0.name == "m8-gnss" }) else {
            return
        }
        for wish in wishes {
            var outcomes: [ConfigurationOutcome?] = []
            for number in session.runs.indices {
                outcomes.append(
                    try run("m8-gnss", number, baudRate: 9600) { $0.constellations = wish }?.outcome
                )
            }
            if wish.contains(.galileo) {
                for case .failed(let error, let rollback)? in outcomes {
                    #expect(error.reason == "cannot receive Galileo")
                    #expect(rollback == .unchanged)
                }
            }
        }
    }

    @Test func `an F9P takes BeiDou alone while its receiver stops and starts`() throws {
        guard
            let (outcome, conversation) = try run(
                "f9p-gnss-restart", 0, baudRate: 921_600, { $0.constellations = [.beiDou] })
        else { return }
        let report = expectDone(outcome)
        #expect(report?.after?.configuration.constellations == [.beiDou])
        #expect(report?.warnings.isEmpty == false)
        #expect(!conversation.chip.accepted.isEmpty)
    }

    @Test func `an X20P takes an elevation`() throws {
        guard
            let (outcome, conversation) = try run(
                "x20p-valset-minelev", 0, baudRate: 921_600,
                values: [ConfigurationItem(.minimumElevation, 5)], { $0.minimumElevation = 10 })
        else { return }
        #expect(expectDone(outcome)?.after?.configuration.minimumElevation == 10)
        #expect(conversation.chip.accepted == [ConfigurationItem(.minimumElevation, 10)])
    }

    @Test(arguments: [
        ("m101-valget", "u-blox EVK-M101 (SPG 5.10)"), ("f9p-reload", "u-blox ZED-F9P (HPG 1.51)"),
        ("x20p-valset-minelev", "u-blox ZED-X20P (HPG 2.10)"), ("m8-gnss", "u-blox M8 (SPG 3.01)"),
        ("casic-5n71-ask", "CASIC AT6558 (URANUS5,V5.3.0.0)"),
        ("casic-f8n-config", "CASIC ATGM332D-AT9880-F8N-76 (URANUS6,V6.3.2.0)"),
        ("lg290p-baud", "Quectel LG290P03 (LG290P03AANR02A01S 2025/12/12)"),
        ("um980-config-pps", "Unicore UM980 (17548)"),
    ])
    func `receivers are recognised by their recorded answers`(
        _ name: String, _ description: String
    ) throws {
        guard let (outcome, _) = try run(name, 0, baudRate: 115_200, { _ in }) else { return }
        #expect(expectDone(outcome)?.before?.identity.description == description)
    }
}

extension RecordedSession {
    /// The requests, and the bytes between each and the next one, with their delays.
    static func exchanges(
        _ run: [Line]
    ) -> [(request: Line, answers: [(delay: Int, bytes: [UInt8])])] {
        var exchanges: [(request: Line, answers: [(delay: Int, bytes: [UInt8])])] = []
        for line in run {
            if line.isRequest {
                exchanges.append((line, []))
            } else if let request = exchanges.last?.request {
                let delay = Int(max(line.seconds - request.seconds, 0) * 1000)
                exchanges[exchanges.count - 1].answers.append((delay, line.bytes))
            }
        }
        return exchanges
    }
}

/// A chip with the answers of a recorded receiver.
///
/// A recorded request gets the recorded answers with their delays. For any other request, a chip
/// with keys reports the values that it reported before; other chips refuse it or do not answer.
struct RecordedChip: ModelChip {
    private(set) var baudRate: Int
    /// The requests that were not recorded.
    private(set) var unknown: [[UInt8]] = []
    /// The settings that were accepted.
    private(set) var accepted: [ConfigurationItem] = []

    private let session: RecordedSession
    private let run: Int
    private var values: [ConfigurationKey: UInt64] = [:]
    private var changedRate: Int?
    private var constellations: CfgGNSS?
    private let isUBX: Bool

    init(_ session: RecordedSession, run: Int, baudRate: Int, values: [ConfigurationItem] = []) {
        (self.session, self.run, self.baudRate) = (session, run, baudRate)
        isUBX = session.runs.joined().contains {
            $0.bytes.starts(with: [0xB5, 0x62]) && !$0.isRequest
        }
        for line in session.runs[run] where !line.isRequest {
            guard let (id, payload) = Self.frame(line.bytes), id == CfgVALGET.id else { continue }
            for item in CfgVALGET(payload: payload.span)?.items ?? [] {
                self.values[item.key] = item.value
            }
        }
        for item in values { self.values[item.key] = item.value }
    }

    static func frame(_ bytes: [UInt8]) -> (id: UBXMessageID, payload: [UInt8])? {
        guard let frame = UBXFrame(bytes.span) else { return nil }
        let payload = frame.payload
        return (frame.id, payload.indices.map { payload[$0] })
    }

    mutating func output(tenth: Int) -> [UInt8] {
        // The recordings do not contain the messages that are sent each second.
        tenth.isMultiple(of: 10) ? sentence("GNRMC,,V,,,,,,,,,,N,V") : []
    }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        if let (id, payload) = Self.frame(bytes), id == CfgVALSET.id { return set(payload) }
        if let found = recorded(bytes) { return found }
        guard let (id, payload) = Self.frame(bytes) else {
            unknown.append(bytes)
            return []
        }
        switch id {
        case CfgVALGET.id where !values.isEmpty:
            return [(5, get(payload)), (5, acknowledgement(id, true))]
                .filter { !$0.1.isEmpty }
        case CfgGNSS.id where !payload.isEmpty: return setConstellations(payload)
        default:
            unknown.append(bytes)
            return id.messageClass == 6 && isUBX ? [(5, acknowledgement(id, false))] : []
        }
    }

    /// Returns the bytes after a request in its run, or in another one, up to the end of the run.
    private mutating func recorded(_ bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])]? {
        let order = [session.runs[run]] + session.runs
        for lines in order {
            guard let index = lines.firstIndex(where: { $0.isRequest && $0.bytes == bytes }) else {
                continue
            }
            let start = lines[index].seconds
            if let speed = lines[index].rate {
                (baudRate, changedRate) = (speed, speed)
            }
            return lines[(index + 1)...].filter { !$0.isRequest }.map {
                (Int(max($0.seconds - start, 0) * 1000), current($0.bytes))
            }
        }
        return nil
    }

    /// Returns an answer about the line or the constellations after a recorded change.
    private func current(_ bytes: [UInt8]) -> [UInt8] {
        if let constellations, Self.frame(bytes)?.id == CfgGNSS.id { return constellations.frame }
        guard let changedRate else { return bytes }
        if let (id, payload) = Self.frame(bytes), id == CfgPRT.id,
            var settings = CfgPRT(payload: payload.span)
        {
            settings.baudRate = UInt32(changedRate)
            return settings.frame
        }
        if bytes.starts(with: [0xBA, 0xCE, 8, 0, 6, 0, 0]) {
            let rate = (0..<4).map { UInt8(truncatingIfNeeded: changedRate >> ($0 * 8)) }
            return CASICFrame.bytes(CASICFrame.port, payload: Array(bytes[6..<10]) + rate)
        }
        if String(decoding: bytes, as: UTF8.self).hasPrefix("$PQTMCFGUART,OK,1,") {
            return sentence("PQTMCFGUART,OK,1,\(changedRate),8,0,1,0")
        }
        return bytes
    }

    /// Returns the recorded values. The chip refuses a request with a key that was not recorded.
    private func get(_ payload: [UInt8]) -> [UInt8] {
        guard let request = CfgVALGET(payload: payload.span), let keys = request.keys else {
            return []
        }
        var items: [ConfigurationItem] = []
        for key in keys {
            if key.item == 0xFFF {
                items += values.filter { $0.key.group == key.group }
                    .map { ConfigurationItem($0.key, $0.value) }
            } else if let value = values[key] {
                items.append(ConfigurationItem(key, value))
            } else {
                return acknowledgement(CfgVALGET.id, false)
            }
        }
        var answer = CfgVALGET()
        answer.version = 1
        answer.data = items.prefix(64).flatMap(\.bytes)
        return answer.frame
    }

    /// Returns the recorded answer, if the values in effect afterwards are those of the recorded
    /// request.
    private mutating func set(_ payload: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        let items = CfgVALSET(payload: payload.span)?.items ?? []
        for line in session.runs[run] where line.isRequest {
            guard let (id, other) = Self.frame(line.bytes), id == CfgVALSET.id,
                let recorded = CfgVALSET(payload: other.span)?.items
            else { continue }
            let different = recorded.filter { values[$0.key] != $0.value }
            guard Set(different) == Set(items) || recorded == items,
                let answers = self.recorded(line.bytes)
            else {
                continue
            }
            let refusal = acknowledgement(id, false)
            if !answers.contains(where: { $0.bytes == refusal }) {
                for item in items { values[item.key] = item.value }
                accepted += items
            }
            return answers
        }
        return [(5, acknowledgement(CfgVALSET.id, false))]
    }

    private mutating func setConstellations(_ payload: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        let requested = CfgGNSS(payload: payload.span)?.blocks.map(\.isEnabled)
        for line in session.runs[run] where line.isRequest {
            guard let (id, other) = Self.frame(line.bytes), id == CfgGNSS.id,
                CfgGNSS(payload: other.span)?.blocks.map(\.isEnabled) == requested,
                let answers = recorded(line.bytes)
            else { continue }
            constellations = CfgGNSS(payload: payload.span)
            return answers
        }
        return [(5, acknowledgement(CfgGNSS.id, false))]
    }
}

/// A session and a chip at the two ends of a line, in simulated time.
struct Conversation<Chip: ModelChip> {
    var session: ConfigurationSession
    var chip: Chip
    /// The baud rate at the host's end.
    var hostRate: Int
    /// The files that the host stores.
    var journal: ConfigurationJournal?
    var progress: [ConfigurationProgress] = []
    var written: [[UInt8]] = []
    private(set) var milliseconds = 0

    /// A receiver with native USB always has the same rate at both ends.
    private let hasRate: Bool
    private let start = MonotonicInstant.now
    private var coming: [(at: Int, rate: Int, bytes: [UInt8])] = []
    private var sentTenths = 0

    init(
        _ request: ConfigurationRequest, _ chip: Chip, isNativeUSB: Bool = false,
        hostRate: Int? = nil
    ) {
        self.chip = chip
        hasRate = !isNativeUSB
        self.hostRate = hostRate ?? chip.baudRate
        session = ConfigurationSession(
            request,
            line: ConfigurationLine(
                baudRate: isNativeUSB ? nil : self.hostRate, isNativeUSB: isNativeUSB))
    }

    private var now: MonotonicInstant { start + .milliseconds(milliseconds) }

    /// Runs until the end, or until a number of outputs has been executed. Returns `nil` in the
    /// second case.
    mutating func run(outputs limit: Int = .max) -> ConfigurationOutcome? {
        var count = 0
        while milliseconds < 300_000 {
            while let output = session.next(at: now) {
                guard count < limit else { return nil }
                count += 1
                switch output {
                case .write(let bytes): write(bytes)
                case .setLineRate(let rate): hostRate = rate
                case .journal(let new): journal = new
                case .progress(let news): progress.append(news)
                case .restartExpected: break
                case .finished(let outcome): return outcome
                }
            }
            advance()
        }
        return nil
    }

    /// Runs until the end. Throws if the session fails.
    @discardableResult
    mutating func report(
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ConfigurationResult {
        let outcome = run()
        guard case .done(let report)? = outcome else {
            Issue.record("\(String(describing: outcome))", sourceLocation: sourceLocation)
            throw CancellationError()
        }
        return report
    }

    private mutating func write(_ bytes: [UInt8]) {
        written.append(bytes)
        guard !hasRate || hostRate == chip.baudRate else { return }
        for (delay, answer) in chip.answers(to: bytes) {
            coming.append((milliseconds + delay, chip.baudRate, answer))
        }
    }

    /// Advances to the next event.
    private mutating func advance() {
        milliseconds += 10
        if milliseconds / 100 > sentTenths {
            sentTenths = milliseconds / 100
            let bytes = chip.output(tenth: sentTenths)
            if !bytes.isEmpty { coming.append((milliseconds, chip.baudRate, bytes)) }
        }
        let due = coming.filter { $0.at <= milliseconds }
        coming.removeAll { $0.at <= milliseconds }
        for piece in due {
            let isReadable = !hasRate || piece.rate == hostRate
            // At a wrong rate, the bytes are noise.
            session.receive(
                isReadable ? piece.bytes : piece.bytes.map { $0 & 0x1C | 0xE0 }, at: now)
        }
    }
}
