// SPDX-License-Identifier: MIT
import GNSS

/// Reads the records of a FIT file, or of several chained FIT files.
///
/// Records without a position, other messages and developer fields are skipped. A record with an
/// impossible position is skipped and counted. A start or a stop of the timer ends the segment. The
/// checksum is at the end of the file, so a wrong checksum is reported after all records.
package struct FITInput: InputReader {
    /// The part of the file to read next.
    private enum Part {
        case header
        /// Messages, with the number of bytes before the checksum; `nil` if the header does not
        /// contain the size.
        case messages(Int?)
        case checksum
    }

    private let file: String
    private var part = Part.header
    /// The bytes of an incomplete element.
    private var buffer: [UInt8] = []
    /// The offset of the buffer in the file.
    private var offset = 0
    private var checksum = FITChecksum()
    private var definitions: [UInt8: FITDefinition] = [:]
    private var records = FITRecords()
    package private(set) var leftOut = LeftOut()

    /// The values of sports that are not read; see `InputReader.warning`.
    package var warning: String? { records.unread.warning }

    package init(file: String) {
        self.file = file
    }

    package var formatName: String { "FIT" }

    /// Returns whether a file with these first bytes is FIT; `nil` if more bytes are needed to
    /// determine that.
    package static func begins(_ bytes: ArraySlice<UInt8>) -> Bool? {
        guard let first = bytes.first, first == 12 || first == 14 else { return false }
        let name = bytes.dropFirst(8).prefix(4)
        guard ".FIT".utf8.starts(with: name) else { return false }
        return name.count < 4 ? nil : true
    }

    package mutating func push(
        _ bytes: ArraySlice<UInt8>, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        buffer += bytes
        var start = 0
        defer {
            buffer.removeFirst(start)
            offset += start
        }
        while let count = try read(buffer[start...], at: offset + start, receive) { start += count }
    }

    package mutating func finish(_ receive: (InputEvent) -> Void) throws(InputError) {
        switch part {
        case .header where buffer.isEmpty: return
        case .header: throw error("this is not FIT", at: offset)
        case .messages(nil):
            throw InputError(file, "the file is incomplete: its recording was interrupted")
        case .messages, .checksum:
            throw InputError(file, "the file is cut off after \(offset + buffer.count) bytes")
        }
    }

    private func error(_ reason: String, at offset: Int) -> InputError {
        InputError(file, "\(reason) (at byte \(offset))")
    }

    /// Reads the next element. Returns its size in bytes; `nil` if it is incomplete.
    private mutating func read(
        _ bytes: ArraySlice<UInt8>, at offset: Int, _ receive: (InputEvent) -> Void
    ) throws(InputError) -> Int? {
        switch part {
        case .header: return try readHeader(bytes, offset, receive)
        case .messages(let rest):
            guard let count = try length(bytes, offset) else { return nil }
            if let rest, rest < count {
                throw error("a message is longer than the rest of the file", at: offset)
            }
            guard bytes.count >= count else { return nil }
            let message = bytes.prefix(count)
            checksum.add(message)
            part = rest == count ? .checksum : .messages(rest.map { $0 - count })
            try readMessage(message, offset, receive)
            return count
        case .checksum:
            guard bytes.count >= 2 else { return nil }
            checksum.add(bytes.prefix(2))
            part = .header
            guard checksum.value == 0 else {
                throw error("the checksum is wrong: some of the data is damaged", at: offset)
            }
            return 2
        }
    }

    private mutating func readHeader(
        _ bytes: ArraySlice<UInt8>, _ offset: Int, _ receive: (InputEvent) -> Void
    ) throws(InputError) -> Int? {
        guard let first = bytes.first else { return nil }
        guard let begins = Self.begins(bytes) ?? (bytes.count < 12 ? nil : false) else {
            return nil
        }
        guard begins else { throw error("this is not FIT", at: offset) }
        let header = Array(bytes.prefix(Int(first)))
        guard header.count == Int(first) else { return nil }
        checksum = FITChecksum()
        checksum.add(header)
        // The header's own checksum is optional.
        guard header.count == 12 || checksum.value == 0 || header[12...] == [0, 0] else {
            throw error("the checksum of the header is wrong", at: offset)
        }
        let size = Int(littleEndianBytes: header[4..<8])
        part = .messages(size == 0 ? nil : size)
        definitions = [:]
        records = FITRecords(unread: records.unread)
        receive(.segment)
        return header.count
    }

    // MARK: Messages

    /// Returns the size in bytes of the message that begins with these bytes; `nil` if more bytes
    /// are needed to determine it.
    private func length(_ bytes: ArraySlice<UInt8>, _ offset: Int) throws(InputError) -> Int? {
        guard let header = bytes.first else { return nil }
        if header & 0xC0 == 0x40 { return FITDefinition.length(bytes) }
        guard let definition = definitions[Self.local(header)] else {
            throw error("a message has no definition", at: offset)
        }
        return 1 + definition.size
    }

    /// Returns the local number from the header of a message. A header with bit 7 contains a
    /// compressed timestamp.
    private static func local(_ header: UInt8) -> UInt8 {
        header & 0x80 == 0 ? header & 0x0F : header >> 5 & 0x03
    }

    private mutating func readMessage(
        _ message: ArraySlice<UInt8>, _ offset: Int, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        guard let header = message.first else { return }
        if header & 0xC0 == 0x40 {
            guard let definition = FITDefinition(message) else {
                throw error("a definition is malformed", at: offset)
            }
            return definitions[Self.local(header)] = definition
        }
        guard let definition = definitions[Self.local(header)] else { return }
        let isCompressed = header & 0x80 != 0
        if isCompressed { records.advance(toLowBits: UInt32(header & 0x1F)) }
        let event = records.event(definition, message.dropFirst(), hasTime: isCompressed)
        guard let event else { return }
        if case .fix(let fix, _) = event, fix.coordinate == nil {
            return leftOut.add(.position, "byte", offset)
        }
        receive(event)
    }
}
