// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
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

    private func expectDone(_ outcome: ConfigurationOutcome?) -> ConfigurationReport? {
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
