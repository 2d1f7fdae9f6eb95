// SPDX-License-Identifier: MIT
import NMEA

/// Divides a receiver's bytes between two messages, never within one, so that a client can receive
/// other data between two pieces.
///
/// A message is a sentence with its line end and the TAG block before it, or a binary frame that
/// `Framer` recognises. At most one message is kept. Other bytes are returned at once.
package struct MessageBuffer: Sendable {
    private var framer = Framer()
    /// The bytes that have not been returned.
    private var bytes: [UInt8] = []
    /// The number of all bytes that have been added.
    private var count = 0
    /// Whether the last complete element is a TAG block, which belongs to the next sentence.
    private var endsWithTagBlock = false

    /// Creates an empty buffer at the start of a stream.
    package init() {}

    /// Whether all bytes have been returned.
    package var isEmpty: Bool { bytes.isEmpty }

    /// Adds bytes. Removes and returns the kept bytes up to the end of the last message.
    package mutating func push(_ new: [UInt8]) -> [UInt8] {
        /// The offset of the last complete element in the stream; `nil` if it is not a sentence.
        var sentence: Int?
        var (isTagged, endsWithTagBlock) = (false, self.endsWithTagBlock)
        framer.push(new.span) { event in
            isTagged = endsWithTagBlock
            (sentence, endsWithTagBlock) = (nil, false)
            switch event {
            case .sentence(let raw): sentence = raw.offset
            case .rejected(let rejection): sentence = rejection.offset
            case .tagBlock: endsWithTagBlock = true
            case .frame, .junk: break
            }
        }
        self.endsWithTagBlock = endsWithTagBlock
        bytes += new
        count += new.count
        var kept = framer.pendingCount
        if let sentence, kept == 0, new.last == 0x0D {
            // The line feed may follow.
            kept = count - sentence
        } else {
            isTagged = endsWithTagBlock
        }
        var end = max(0, bytes.count - kept)
        if isTagged {
            // A TAG block has a backslash at its beginning and at its end.
            end = bytes[..<max(0, end - 1)].lastIndex(of: UInt8(ascii: "\\")) ?? end
        }
        defer { bytes.removeFirst(end) }
        return Array(bytes[..<end])
    }

    /// Removes and returns all kept bytes. Call it when the line has been silent: the message may
    /// never be completed.
    package mutating func silence() -> [UInt8] {
        framer.silence { _ in }
        endsWithTagBlock = false
        return exchange(&bytes, with: [])
    }
}
