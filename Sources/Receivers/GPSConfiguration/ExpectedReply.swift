// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The expected reply to a request, determined from the bytes of the request.
struct ExpectedReply: Hashable, Sendable {
    /// The role of a message in a reply.
    enum Part: Hashable { case answer, acceptance, refusal }

    private enum Form: Hashable, Sendable {
        case none
        case ubx(UBXMessageID, selector: [UInt8])
        case casic(UBXMessageID, answer: UBXMessageID)
        /// Lines that begin with one of `answer`, or acknowledgements that begin with `acceptance`.
        /// An acknowledgement means success if `success` follows.
        case lines(answer: [String], acceptance: String?, success: String)
        case unicore(String, binary: Bool)
        /// The acknowledgement of assistance data (UBX-MGA-ACK).
        case assistance(UBXMessageID)
        /// The entries of the navigation database (UBX-MGA-DBD).
        case database
    }

    private var form = Form.none
    /// The request itself, which an echoing line returns. It is not a reply.
    private var echo: ReceivedMessage?
    /// Whether an answer with content is required.
    private(set) var needsAnswer = false
    /// Whether an acknowledgement is required.
    private(set) var needsAcceptance = false
    /// Whether only a pause shows that the reply is complete.
    private(set) var isOpenEnded = false
    /// Whether each answer restarts the timeout.
    var isList: Bool { form == .database }

    var isNone: Bool { form == .none }

    /// Determines the expected reply from the request. If `isUnicore` is `true`, a command in lower
    /// case, such as `mode rover`, also counts as a Unicore command, which is answered.
    init(to request: [UInt8], isUnicore: Bool = false) {
        if let (id, payload) = request.ubxMessage {
            echo = .ubx(id, payload)
            expectUBX(id, payload)
        } else if case .frame(let frame, _) = CASICFrame.recognise(request[...]) {
            echo = .casic(frame.id, frame.payload)
            expectCASIC(frame.id, frame.payload)
        } else {
            let text = String(
                String(decoding: request, as: UTF8.self).prefix { $0 != "*" && !$0.isNewline })
            echo = .line(text)
            let isCommand = isUnicore ? text.first?.isLetter : text.first?.isUppercase
            if isCommand == true { expectUnicore(text) } else { expectLines(text) }
        }
    }

    private mutating func expectUBX(_ id: UBXMessageID, _ payload: [UInt8]) {
        guard id != CfgRST.id else { return }
        let isPoll =
            payload.isEmpty || id == CfgVALGET.id || id == CfgPRT.id && payload.count == 1
            || id == CfgMSG.id && payload.count == 2
        needsAnswer = isPoll
        needsAcceptance = id.messageClass == 6
        guard needsAnswer || needsAcceptance else { return }
        let selects = [CfgMSG.id, CfgPRT.id, CfgVALGET.id].contains(id)
        form = .ubx(id, selector: selects ? payload : [])
    }

    private mutating func expectCASIC(_ id: UBXMessageID, _ payload: [UInt8]) {
        guard id.messageClass == 6 else { return }
        needsAcceptance = true
        needsAnswer = payload.isEmpty
        form = .casic(id, answer: id)
        // A rate of FFFF requests the message itself, once.
        if id == CASICFrame.message, payload.count == 4, payload[2] == 0xFF, payload[3] == 0xFF {
            needsAnswer = true
            form = .casic(id, answer: UBXMessageID(payload[0], payload[1]))
        }
    }

    private mutating func expectLines(_ text: String) {
        guard text.hasPrefix("$") else { return }
        let fields = text.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
        let name = String(fields.first ?? "")
        switch name {
        case _ where name.hasPrefix("PMTK"): expectMediaTek(String(name.dropFirst(4)))
        case _ where name.hasPrefix("PAIR"):
            let number = String(name.dropFirst(4))
            form = .lines(
                answer: ["$PAIR\(number),"], acceptance: "$PAIR001,\(number),", success: "0")
            needsAcceptance = true
            needsAnswer = ["020", "021", "051", "067"].contains(number)
        case "PQTMSRR": break
        case "PQTMVERNO":
            form = .lines(answer: ["$PQTMVERNO,"], acceptance: nil, success: "")
            needsAnswer = true
        case _ where name.hasPrefix("PQTM"):
            form = .lines(answer: [], acceptance: "$\(name),", success: "OK")
            needsAcceptance = true
            isOpenEnded = name == "PQTMLSTMSG"
        case "PCAS06":
            let kinds = ["SW=", "HW=", "MO=", "CI="]
            let kind = fields.last.flatMap { Int($0) } ?? 0
            guard kinds.indices.contains(kind) else { return }
            form = .lines(answer: ["TXT,01,01,02,\(kinds[kind])"], acceptance: nil, success: "")
            needsAnswer = true
        case "PSRF103": expectSiRF(fields.dropFirst().prefix(2).map { Int($0) })
        case "PSTMGETSWVER": expect(answer: "$PSTMVER,")
        case "PSTMGETPAR":
            form = .lines(answer: ["$PSTMSETPAR,"], acceptance: "$PSTMGETPAR", success: "OK")
            needsAnswer = true
        case _ where name.hasPrefix("PSTMCFG") || Self.confirmedTeseoCommands.contains(name):
            form = .lines(answer: [], acceptance: "$\(name)", success: "OK")
            needsAcceptance = true
        default: break
        }
    }

    /// The commands of ST's Teseo that it acknowledges, in addition to those that begin with
    /// `PSTMCFG`. It does not answer others, such as those that restart it.
    private static let confirmedTeseoCommands: Set<String> = [
        "PSTMSETPAR", "PSTMSAVEPAR", "PSTMRESTOREPAR", "PSTMSETCONSTMASK", "PSTMSETRANGE",
        "PSTMSETALGO", "PSTMGETALGO", "PSTMINITGPS", "PSTMINITTIME", "PSTMALMANAC", "PSTMEPHEM",
        "PSTMSBASSERVICE", "PSTMSBASM", "PSTMDATUMSELECT", "PSTMDATUMSETPARAM",
    ]

    /// Expects the sentence that `PSRF103` queries. `fields` are the number of the sentence and the
    /// mode: 1 queries the sentence once, 0 sets its interval, which is not answered.
    private mutating func expectSiRF(_ fields: [Int?]) {
        let sentences = [0: "GGA", 1: "GLL", 2: "GSA", 3: "GSV", 4: "RMC", 5: "VTG", 8: "ZDA"]
        guard fields.count == 2, fields[1] == 1, let number = fields[0],
            let sentence = sentences[number]
        else { return }
        expect(answer: "\(sentence),")
    }

    private mutating func expectMediaTek(_ number: String) {
        // Restarts and changes of the baud rate are not acknowledged.
        guard let value = Int(number), !(100...104).contains(value), value != 251 else { return }
        needsAnswer = value == 605 || (400..<500).contains(value)
        needsAcceptance = !needsAnswer
        form = .lines(
            answer: needsAnswer ? ["$PMTK\(value + 100),"] : [],
            acceptance: "$PMTK001,\(value),", success: "3")
    }

    private mutating func expectUnicore(_ text: String) {
        let isVersion = text.uppercased() == "VERSIONB"
        form = .unicore(text, binary: isVersion)
        needsAcceptance = true
        needsAnswer = isVersion
        isOpenEnded = ["CONFIG", "MASK", "MODE", "VERSIONA"].contains(text.uppercased())
    }

    /// Expects an answer that begins with `prefix`, instead of an acknowledgement. The answer may
    /// equal the request.
    mutating func expect(answer prefix: String) {
        echo = nil
        form = .lines(answer: [prefix], acceptance: nil, success: "")
        (needsAnswer, needsAcceptance) = (true, false)
    }

    /// Returns the expected reply to an assistance message: an acknowledgement. Use it only if the
    /// receiver is set to acknowledge assistance data.
    static func assistance(_ id: UBXMessageID) -> ExpectedReply {
        var reply = ExpectedReply(to: [])
        reply.form = .assistance(id)
        reply.needsAcceptance = true
        return reply
    }

    /// Returns the reply to a request for the navigation database: its entries. With flow control,
    /// an acknowledgement with the number of entries follows the last one; otherwise only a pause
    /// marks the end.
    static func database(hasFlowControl: Bool) -> ExpectedReply {
        var reply = ExpectedReply(to: [])
        reply.form = .database
        reply.needsAcceptance = hasFlowControl
        reply.needsAnswer = !hasFlowControl
        reply.isOpenEnded = !hasFlowControl
        return reply
    }

    /// Returns whether an acknowledgement has content, and so belongs to the messages of
    /// `Exchange.Outcome.accepted`.
    func acceptanceHasContent(_ message: ReceivedMessage) -> Bool {
        if case .line = message { return true }
        return form == .database
    }

    private static func acknowledgement(_ id: UBXMessageID, _ payload: [UInt8]) -> Part? {
        guard let message = MgaACK(payload: payload.span), message.number == id.number else {
            return nil
        }
        return message.isAccepted == 1 ? .acceptance : .refusal
    }

    /// Returns the role of a message in this reply; `nil` if it is not related to the request.
    func part(_ message: ReceivedMessage) -> Part? {
        guard message != echo else { return nil }
        switch (form, message) {
        // A u-blox chip does not acknowledge a restart, but may refuse it.
        case (.none, .ubx(AckNAK.id, let payload)):
            guard case .ubx(let id, _)? = echo,
                payload.starts(with: [id.messageClass, id.number])
            else { return nil }
            return .refusal
        case (.ubx(let id, let selector), .ubx(let received, let payload)):
            if received == id, needsAnswer {
                return Self.answers(payload, id, selector) ? .answer : nil
            }
            let isAcknowledgement = received == AckACK.id || received == AckNAK.id
            guard needsAcceptance, isAcknowledgement,
                payload.starts(with: [id.messageClass, id.number])
            else { return nil }
            return received == AckACK.id ? .acceptance : .refusal
        case (.casic(let id, let answer), .casic(let received, let payload)):
            if received == answer, needsAnswer { return .answer }
            guard received.messageClass == 5, payload.starts(with: [id.messageClass, id.number])
            else { return nil }
            return received.number == 1 ? .acceptance : .refusal
        case (.lines(let answers, let acceptance, let success), .line(let line)):
            return Self.part(line, answers: answers, acceptance, success)
        case (.unicore(let text, let isBinary), .line(let line)):
            if line.hasPrefix("$command,\(text),response: ") {
                return line.hasSuffix("OK") ? .acceptance : .refusal
            }
            // If some firmware does not know a request, it sends the reason, followed by the
            // request.
            if line.hasPrefix("$command,response: "), line.hasSuffix(" \(text)") { return .refusal }
            let isDump = line.hasPrefix("$CONFIG,") || line.hasPrefix("#")
            return isDump && !isBinary ? .answer : nil
        case (.unicore(_, binary: true), .unicore): return .answer
        case (.database, .ubx(MgaDBD.id, _)): return .answer
        case (.database, .ubx(MgaACK.id, let payload)):
            return Self.acknowledgement(MgaDBD.id, payload)
        case (.assistance(let id), .ubx(MgaACK.id, let payload)):
            return Self.acknowledgement(id, payload)
        default: return nil
        }
    }

    /// Returns the role of a line in the reply to a sentence.
    private static func part(
        _ line: String, answers: [String], _ acceptance: String?, _ success: String
    ) -> Part? {
        if let acceptance, line.hasPrefix(acceptance) {
            // Airoha's result 1 means that the command is in progress and its result follows.
            if acceptance.hasPrefix("$PAIR001,"), line.dropFirst(acceptance.count) == "1" {
                return nil
            }
            return line.dropFirst(acceptance.count).hasPrefix(success) ? .acceptance : .refusal
        }
        // An LC29H refuses commands that only other modules of Quectel have in this form.
        if acceptance?.hasPrefix("$PQTM") == true, line.hasPrefix("$PAIR001,000,") {
            return .refusal
        }
        // A name without `$` matches any talker.
        return answers.contains { line.hasPrefix($0) || line.dropFirst(3).hasPrefix($0) }
            ? .answer : nil
    }

    /// Returns whether an answer belongs to this request. An answer about another port, message or
    /// key belongs to an earlier request, or to a request of another program.
    private static func answers(
        _ payload: [UInt8], _ id: UBXMessageID, _ selector: [UInt8]
    ) -> Bool {
        guard id == CfgVALGET.id else { return payload.starts(with: selector) }
        guard let request = CfgVALGET(payload: selector.span), let keys = request.keys,
            let answer = CfgVALGET(payload: payload.span), let items = answer.items,
            answer.layer == request.layer, answer.position == request.position
        else { return false }
        return items.allSatisfy { item in keys.contains { $0.includes(item.key) } }
    }
}

/// A request and the receiver's reply. Only one exchange is in progress at a time.
struct Exchange: Hashable, Sendable {
    /// The outcome of a request.
    enum Outcome: Hashable, Sendable {
        /// The receiver accepted the request and sent these messages.
        case accepted([ReceivedMessage])
        /// The receiver refused the request.
        case refused
        /// The receiver did not reply in time.
        case silent
    }

    /// The bytes of the request.
    var bytes: [UInt8]
    var reply: ExpectedReply
    /// The maximum number of times that the request is sent.
    var attempts = 2
    /// How long to wait for the reply; `nil` for the default, which depends on the line.
    var timeout: Duration?
    /// How long to wait before the next request.
    var settling = Duration.zero
    /// Whether some receivers do not know the request, so that a missing reply is not a problem.
    var isOptional = false

    init(
        _ bytes: [UInt8], attempts: Int = 2, timeout: Duration? = nil,
        settling: Duration = .zero, isOptional: Bool = false, reply: ExpectedReply? = nil
    ) {
        self.bytes = bytes
        self.attempts = attempts
        self.timeout = timeout
        self.settling = settling
        self.isOptional = isOptional
        self.reply = reply ?? ExpectedReply(to: bytes)
    }

    /// Returns a request that shows whether a receiver answers.
    static func probe(_ bytes: [UInt8]) -> Exchange {
        Exchange(bytes, attempts: 3, timeout: .milliseconds(700))
    }
}

extension Exchange.Outcome {
    /// Returns the first message of the reply, decoded as `type`; `nil` if the request was not
    /// accepted or that message has another format.
    func answer<Message: UBXMessage>(_ type: Message.Type) -> Message? {
        guard case .accepted(let messages) = self, case .ubx(_, let payload)? = messages.first
        else { return nil }
        return Message(payload: payload.span)
    }
}

/// A request that has been sent, and the part of its reply that has been received.
struct PendingExchange: Sendable {
    /// The result of reaching the deadline without a complete reply.
    enum Expiry {
        /// The exchange has ended.
        case concluded(Exchange.Outcome)
        /// Send the request again.
        case sendAgain([UInt8])
    }

    /// The request and its expected reply.
    let exchange: Exchange
    /// The number of times that the request was sent.
    private(set) var attempt = 1
    /// When to call `expire(at:)`.
    private(set) var deadline: MonotonicInstant
    private let timeout: Duration
    private var received: [ReceivedMessage] = []
    private var isAccepted = false

    /// The pause after which an open-ended reply is complete.
    private static let listPause = Duration.milliseconds(300)
    /// The maximum number of messages in a reply. A receiver that sends more is faulty.
    private static let limit = 2048

    init(_ exchange: Exchange, timeout: Duration, at now: MonotonicInstant) {
        self.exchange = exchange
        self.timeout = timeout
        deadline = now + timeout
    }

    /// Handles a message from the line. Returns the outcome when the reply is complete.
    mutating func receive(_ message: ReceivedMessage, at now: MonotonicInstant) -> Exchange.Outcome?
    {
        let reply = exchange.reply
        guard let part = reply.part(message) else { return nil }
        switch part {
        case .refusal: return .refused
        case .acceptance: isAccepted = true
        case .answer: break
        }
        guard received.count < Self.limit else { return .refused }
        // An acceptance may have content: `$PQTMCFGUART,OK,…`, the number of entries.
        if part == .answer || reply.acceptanceHasContent(message) { received.append(message) }
        let hasAnswer =
            !reply.needsAnswer || received.contains { reply.part($0) == .answer }
        let isComplete = hasAnswer && (isAccepted || !reply.needsAcceptance)
        if reply.isOpenEnded {
            if isComplete { deadline = now + Self.listPause }
            return nil
        }
        if isComplete { return .accepted(received) }
        if reply.isList {
            deadline = now + timeout
        } else if part == .answer, reply.needsAnswer {
            // The acknowledgement of a poll follows its answer soon, unless the chip sends none. A
            // shorter timeout then saves time.
            deadline = min(deadline, now + timeout / 2)
        }
        return nil
    }

    /// Returns what to do now that the deadline has passed.
    mutating func expire(at now: MonotonicInstant) -> Expiry {
        let reply = exchange.reply
        if reply.isNone { return .concluded(.accepted([])) }
        if isAccepted, reply.isOpenEnded { return .concluded(.accepted(received)) }
        // An answer is sufficient, even if its acknowledgement was lost.
        if reply.needsAnswer, received.contains(where: { reply.part($0) == .answer }) {
            return .concluded(.accepted(received))
        }
        guard attempt < exchange.attempts else { return .concluded(.silent) }
        attempt += 1
        deadline = now + timeout
        return .sendAgain(exchange.bytes)
    }
}

/// Messages that are never sent, even on request, because they lock a chip, permanently program its
/// memory, change its firmware or erase its log.
enum ForbiddenMessage {
    /// Returns the reason for not sending bytes; `nil` if they may be sent.
    static func reason(_ bytes: [UInt8]) -> String? {
        // The bytes may contain several frames, or begin with other data.
        for start in bytes.indices where bytes[start] == 0xB5 {
            guard case .frame(let count) = UBXFrame.recognise(bytes.span, at: start),
                let (id, payload) = Array(bytes[start..<start + count]).ubxMessage,
                let reason = Self.reason(id, payload)
            else { continue }
            return reason
        }
        return nil
    }

    private static func reason(_ id: UBXMessageID, _ payload: [UInt8]) -> String? {
        switch (id.messageClass, id.number) {
        case (0x09, 0x14): return nil
        case (0x09, _): return "\(id) changes the firmware"
        case (0x06, 0x41):
            return "\(id) (CFG-OTP) writes one-time programmable memory, which can never be erased"
        case (0x21, 0x03): return "\(id) (LOG-ERASE) erases the receiver's log"
        default: break
        }
        guard id == CfgVALSET.id, let message = CfgVALSET(payload: payload.span) else { return nil }
        guard let items = message.items else {
            return "\(id) (CFG-VALSET) is malformed, so its keys cannot be checked"
        }
        return items.map(\.key).first(where: \.isForbidden).map {
            "\($0.name) locks the configuration, in flash permanently"
        }
    }
}
