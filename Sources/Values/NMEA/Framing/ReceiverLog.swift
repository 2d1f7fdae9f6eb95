// SPDX-License-Identifier: MIT
import GNSS

/// A log of a NovAtel or Unicore receiver in ASCII. It begins with `#`, and ends with a CRC of 32
/// bits. Of these logs, only the headings are used, because receivers send the other values in
/// sentences, too.
///
///     #NAME,header…;fields…*hhhhhhhh
///     #UNIHEADINGA,97,GPS,FINE,2411,555318000,0,0,18,12;SOL_COMPUTED,NARROW_INT,1.2041,171.4012,…
struct ReceiverLog {
    /// The maximum length of a log in bytes.
    private static let maximumLength = 1024

    /// The result of checking for a log at an index.
    enum Recognition {
        case log(count: Int)
        /// Bytes that may be the beginning of a log. More bytes are needed.
        case incomplete
        case none
    }

    /// Checks whether a complete log with a valid CRC begins at `start`, where a number sign is.
    @inline(never)
    static func recognise(_ bytes: Span<UInt8>, at start: Int) -> Recognition {
        var end = start + 1
        guard end < bytes.count else { return .incomplete }
        guard 0x41...0x5A ~= bytes[end] else { return .none }
        let limit = start + maximumLength
        var crc: UInt32 = 0
        while end < bytes.count, bytes[end] != UInt8(ascii: "*") {
            let byte = bytes[end]
            guard end < limit, 0x20...0x7E ~= byte, !"#$!".utf8.contains(byte) else {
                return .none
            }
            crc = FrameChecksum.log(crc, byte)
            end += 1
        }
        var sent: UInt32 = 0
        for index in end + 1..<end + 9 {
            guard index < bytes.count else { return .incomplete }
            guard let digit = Hexadecimal.value(bytes[index]) else { return .none }
            sent = sent << 4 | UInt32(digit)
        }
        return crc == sent ? .log(count: end + 9 - start) : .none
    }

    /// The address under which the assembler knows headings from logs.
    static let address = Address("#HEADING")

    /// The names of logs with the vector between two antennas.
    private static let names = ["#UNIHEADINGA", "#UNIHEADING2A", "#HEADINGA", "#HEADING2A"]

    /// The heading in degrees true, and its standard deviation.
    private let heading, headingAccuracy: Double?
    /// The pitch in degrees; positive if the bow is up.
    private let pitch: Double?

    /// Reads a complete log. Returns `nil` if it is not a heading.
    ///
    /// The fields are the status of the solution, the type of the position, the distance between the
    /// antennas, the heading, the pitch, a reserved one, and the standard deviations of heading and
    /// pitch.
    init?(_ bytes: Span<UInt8>) {
        let text = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        let parts = text.split(separator: ";", maxSplits: 1)
        guard parts.count == 2, Self.names.contains(where: { parts[0].hasPrefix("\($0),") }) else {
            return nil
        }
        let fields = parts[1].split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count > 7 else { return nil }
        func number(_ index: Int, _ range: ClosedRange<Double>) -> Double? {
            Double(fields[index]).flatMap { range.contains($0) ? $0 : nil }
        }
        // Without a solution, the numbers are 0 or old.
        let isSolved = fields[0] == "SOL_COMPUTED" && fields[1] != "NONE"
        heading = isSolved ? number(3, 0...360) : nil
        headingAccuracy = isSolved ? number(6, 0...360) : nil
        pitch = isSolved ? number(4, -90...90) : nil
    }

    /// Sets heading and pitch. The log belongs to the current epoch, as sentences without a time do.
    func contribute(to epoch: inout Epoch) {
        guard let heading else { return }
        epoch.fill(trueHeading: heading.wrappedDegrees)
        epoch.fill(\.attitude.headingAccuracy, headingAccuracy)
        epoch.fill(\.attitude.pitch, pitch)
    }
}
