// SPDX-License-Identifier: MIT
import UBX

/// The expected reply to a request. It follows from the request's bytes.
struct ExpectedReply: Hashable, Sendable {
    /// The part of a reply that a message is.
    enum Part: Hashable { case answer, acceptance, refusal }

    private enum Form: Hashable, Sendable {
        case none
        case ubx(UBXMessageID, selector: [UInt8])
        case casic(UBXMessageID, answer: UBXMessageID)
        /// Lines that begin with the one text, or with the other and then a number that means success.
        case lines(answer: [String], acceptance: String?, success: String)
        case unicore(String, binary: Bool)
    }

    private var form = Form.none
    /// Whether an answer with content must come.
    private(set) var needsAnswer = false
    /// Whether an acknowledgement must come.
    private(set) var needsAcceptance = false
    /// Whether only silence shows that there are no more answers.
    private(set) var isOpenEnded = false

    /// Whether the receiver does not reply.
    var isNone: Bool { form == .none }

    init(to request: [UInt8]) {
        if let (id, payload) = request.ubxMessage {
            expectUBX(id, payload)
        } else if case .message(.casic(let id, let payload), _) = CASICFrame.recognise(request[...])
        {
            expectCASIC(id, payload)
        } else {
            let text = String(decoding: request, as: UTF8.self).prefix {
                $0 != "*" && !$0.isNewline
            }
            expectLines(String(text))
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
        form = .ubx(id, selector: id == CfgMSG.id || id == CfgPRT.id ? payload : [])
    }

    private mutating func expectCASIC(_ id: UBXMessageID, _ payload: [UInt8]) {
        guard id.messageClass == 6 else { return }
        needsAcceptance = true
        needsAnswer = payload.isEmpty
        form = .casic(id, answer: id)
        // A rate of FFFF asks for the message itself, once.
        if id == CASICFrame.message, payload.count == 4, payload[2] == 0xFF, payload[3] == 0xFF {
            needsAnswer = true
            form = .casic(id, answer: UBXMessageID(payload[0], payload[1]))
        }
    }

    private mutating func expectLines(_ text: String) {
        guard text.hasPrefix("$") else { return expectUnicore(text) }
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
        case "PSRF103": expect(answer: "GGA,")
        case "PSTMGETSWVER": expect(answer: "$PSTMVER,")
        case _ where name.hasPrefix("PSTM"):
            form = .lines(answer: [], acceptance: "$\(name)", success: "OK")
            needsAcceptance = true
        default: break
        }
    }

    private mutating func expectMediaTek(_ number: String) {
        // Restarts and another baud rate are not acknowledged.
        guard let value = Int(number), !(100...104).contains(value), value != 251 else { return }
        if value == 605 || (400..<500).contains(value) {
            return expect(answer: "$PMTK\(value + 100),")
        }
        form = .lines(answer: [], acceptance: "$PMTK001,\(value),", success: "3")
        needsAcceptance = true
    }

    private mutating func expectUnicore(_ text: String) {
        guard text.first?.isUppercase == true else { return }
        let queries = ["CONFIG", "MASK", "MODE", "VERSIONA"]
        form = .unicore(text, binary: text == "VERSIONB")
        needsAcceptance = true
        needsAnswer = text == "VERSIONB"
        isOpenEnded = queries.contains(text)
    }

    /// Expects any line that begins with a text.
    mutating func expect(answer prefix: String) {
        form = .lines(answer: [prefix], acceptance: nil, success: "")
        (needsAnswer, needsAcceptance) = (true, false)
    }

    /// The part of the reply that a message is; `nil` if it has nothing to do with the request.
    func part(_ message: ReceivedMessage) -> Part? {
        switch (form, message) {
        case (.ubx(let id, let selector), .ubx(let received, let payload)):
            if received == id, needsAnswer {
                // The answer of another port or message belongs to an earlier request.
                return payload.starts(with: selector) ? .answer : nil
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
            if let acceptance, line.hasPrefix(acceptance) {
                return line.dropFirst(acceptance.count).hasPrefix(success) ? .acceptance : .refusal
            }
            // A name without `$` may have any talker.
            return answers.contains { line.hasPrefix($0) || line.dropFirst(3).hasPrefix($0) }
                ? .answer : nil
        case (.unicore(let text, let isBinary), .line(let line)):
            if line.hasPrefix("$command,\(text),response: ") {
                return line.hasSuffix("OK") ? .acceptance : .refusal
            }
            let isDump = line.hasPrefix("$CONFIG,") || line.hasPrefix("#")
            return isDump && !isBinary ? .answer : nil
        case (.unicore(_, binary: true), .unicore): return .answer
        default: return nil
        }
    }
}
