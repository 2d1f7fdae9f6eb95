// SPDX-License-Identifier: MIT

/// Assembles AIS messages from VDM and VDO sentences. A sentence usually holds up to 60 characters
/// of a message, so a long message consists of several sentences.
///
///     !AIVDM,parts,part,sequence,channel,payload,fill*hh
///     !AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C
///
/// An incomplete message is dropped when the eighth long message after it begins. The sequence
/// numbers of long messages repeat after ten, so the missing part would otherwise be taken from
/// another ship's message.
package struct AISAssembler: Equatable, Sendable {
    private struct Pending: Equatable {
        let key: [UInt8]
        let count: Int
        var received = 0
        var payload: [UInt8] = []
        /// The number of messages of several sentences that have begun after this incomplete
        /// message.
        var age = 0
    }

    /// The value of `age` at which an incomplete message is dropped.
    private static let maximumAge = 8
    private static let maximumParts = 9
    /// The maximum number of payload characters of a message. The longest standard message has 1008
    /// bits, which are 168 characters.
    private static let maximumLength = 172

    private var pending: [Pending] = []

    /// Creates an assembler without pending parts.
    package init() {}

    /// Adds a VDM or VDO sentence, and returns the message if it is now complete. The sentence
    /// begins with `!`. Its checksum is optional and is not verified. Returns `nil` if more parts
    /// are needed, or if the sentence cannot be used.
    package mutating func message(_ sentence: [UInt8]) -> AISMessage? {
        guard sentence.first == UInt8(ascii: "!") else { return nil }
        let fields = sentence.prefix { $0 != UInt8(ascii: "*") }
            .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard fields.count >= 7,
            fields[0].suffix(3).elementsEqual("VDM".utf8)
                || fields[0].suffix(3).elementsEqual("VDO".utf8),
            let count = Self.digit(fields[1]), let number = Self.digit(fields[2]),
            1...Self.maximumParts ~= count, 1...count ~= number,
            let fill = Self.fillBits(fields[6])
        else { return nil }
        guard count > 1 else { return AISMessage(payload: fields[5], fillBits: fill) }
        // Parts of one message have the same talker, sequence number and channel.
        let key = Array(fields[0] + fields[3]) + [UInt8(ascii: ",")] + fields[4]
        return part(number, of: count, key, Array(fields[5]), fill)
    }

    private mutating func part(
        _ number: Int, of count: Int, _ key: [UInt8], _ payload: [UInt8], _ fill: Int
    ) -> AISMessage? {
        let index = pending.firstIndex { $0.key == key }
        var message = index.map { pending.remove(at: $0) }
        if number == 1 {
            message = Pending(key: key, count: count)
            for index in pending.indices { pending[index].age += 1 }
            pending.removeAll { $0.age == Self.maximumAge }
        }
        guard var message, message.count == count, message.received == number - 1,
            message.payload.count + payload.count <= Self.maximumLength
        else { return nil }
        message.received = number
        message.payload += payload
        guard number < count else {
            return AISMessage(payload: message.payload, fillBits: fill)
        }
        pending.append(message)
        return nil
    }

    /// Returns the number of fill bits; `nil` if it is not valid. Some receivers leave the field
    /// empty instead of 0.
    private static func fillBits(_ field: some Collection<UInt8>) -> Int? {
        guard !field.isEmpty else { return 0 }
        guard let fill = digit(field), fill <= 5 else { return nil }
        return fill
    }

    private static func digit(_ field: some Collection<UInt8>) -> Int? {
        guard field.count == 1, let digit = field.first,
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit
        else { return nil }
        return Int(digit - UInt8(ascii: "0"))
    }
}
