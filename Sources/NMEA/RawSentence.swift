// SPDX-License-Identifier: MIT

/// One sentence as the framer found it: its bytes, not yet understood.
public struct RawSentence: ~Escapable {
    /// From the start character to the checksum, which are included.
    public let text: Span<UInt8>

    /// Address and fields, between the start character and the checksum.
    public let body: Span<UInt8>

    /// The first field.
    public let address: Address

    /// How many fields follow the address.
    public let fieldCount: Int

    /// Where the start character stood in the stream.
    public let offset: Int

    /// The start character was `!`: AIS and other encapsulated data.
    public let isEncapsulated: Bool

    /// It ran into the next sentence without a line end between them.
    public let isGlued: Bool

    /// Something followed the checksum.
    public let hasTrailingJunk: Bool

    @_lifetime(copy text, copy body)
    init(
        text: Span<UInt8>, body: Span<UInt8>, address: Address, fieldCount: Int, offset: Int,
        isEncapsulated: Bool, isGlued: Bool, hasTrailingJunk: Bool
    ) {
        self.text = text
        self.body = body
        self.address = address
        self.fieldCount = fieldCount
        self.offset = offset
        self.isEncapsulated = isEncapsulated
        self.isGlued = isGlued
        self.hasTrailingJunk = hasTrailingJunk
    }

    /// The fields, from the first one after the address.
    public var fields: FieldReader {
        @_lifetime(copy self)
        get { FieldReader(body, address: address, fieldCount: fieldCount) }
    }

    /// The fields that follow what a formatter takes; `nil` where the sentence is of another kind.
    @_lifetime(copy self)
    public func fields(of formatter: Formatter) -> FieldReader? {
        guard formatter.proprietary != nil else {
            return address.kind == .standard(formatter) ? fields : nil
        }
        guard !isEncapsulated, let length = formatter.proprietaryPrefix(of: body) else {
            return nil
        }
        let prefix = body.extracting(0..<length)
        var commas = 0
        for i in prefix.indices where prefix[i] == UInt8(ascii: ",") { commas += 1 }
        return FieldReader(
            body, address: Address(prefix, count: length), fieldCount: fieldCount - commas)
    }

    /// The sentence as an array, for keeping.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        for i in text.indices { bytes.append(text[i]) }
        return bytes
    }
}
