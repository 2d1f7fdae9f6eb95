// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import NMEA
import RTCM
import UBX

/// Simulates the line between a receiver and its reader. It applies faults to the bytes of each
/// epoch.
///
/// Each fault has its own random number generator, so that adding a fault does not change the
/// effects of the others.
struct FaultyLine: Sendable {
    /// An epoch after faults have been applied.
    struct Output {
        var bytes: [UInt8]
        /// The time at which the bytes are sent, in seconds after the first epoch.
        var due: Double
        var plug: SimulatedEpoch.Plug
    }

    /// The maximum number of bytes kept during a stall, as in a receiver's buffer.
    private static let bufferSize = 65_536

    private var faults: [Fault]
    private let baudRate: BaudRate
    private let isUSB: Bool
    private let seed: UInt64
    private var randoms: [SeededGenerator]
    private var kept: [UInt8] = []
    private var gathered = 0
    private var lastDue = 0.0
    private var name: String?
    private var isUnplugged = false

    init(_ script: FaultScript, seed: UInt64, baudRate: BaudRate, isUSB: Bool = false) {
        faults = []
        randoms = []
        self.seed = seed
        self.baudRate = baudRate
        self.isUSB = isUSB
        for fault in script.faults { add(fault) }
    }

    mutating func add(_ fault: Fault) {
        let number = UInt64(faults.count)
        randoms.append(SeededGenerator(seed: seed ^ 0xFA17 &+ number &* 0x9E37_79B9_7F4A_7C15))
        faults.append(fault)
    }

    /// Applies the active faults to the bytes of an epoch that is due `seconds` after the first
    /// epoch.
    mutating func send(_ bytes: [UInt8], at seconds: Double) -> Output {
        let active = faults.indices.filter { faults[$0].isActive(at: seconds) }
        guard !active.isEmpty || !kept.isEmpty || isUnplugged else {
            // Epochs stay in order, even after a late one.
            return output(bytes, due: max(seconds, lastDue))
        }
        let faulty = corrupt(bytes, active)
        return plug(active, time(active, faulty, at: seconds))
    }

    private func output(_ bytes: [UInt8], due: Double) -> Output {
        Output(bytes: bytes, due: due, plug: .inserted(as: name))
    }

    // MARK: Content

    private mutating func corrupt(_ cycle: [UInt8], _ active: [Int]) -> [UInt8] {
        var sentences = MessageBoundaries.messages(of: cycle)
        for index in active {
            SentenceFaults.apply(faults[index], &sentences, &randoms[index])
        }
        var bytes: [UInt8] = []
        for sentence in sentences { bytes += sentence }
        for index in active {
            ByteFaults.apply(faults[index], &bytes, baudRate, &randoms[index])
        }
        return bytes
    }

    // MARK: Timing

    private mutating func time(_ active: [Int], _ faulty: [UInt8], at seconds: Double) -> Output {
        var result = output(faulty, due: seconds)
        var isHeld = false
        for index in active {
            switch faults[index].kind {
            case .silence, .powerOff:
                result.bytes = []
            case .stall:
                isHeld = true
            case .burst(let count):
                gathered += 1
                isHeld = isHeld || gathered < count
            case .late(let most) where most.isFinite:
                if randoms[index].happens(faults[index].probability) {
                    result.due += max(0, most) * randoms[index].unit()
                }
            default: break
            }
        }
        kept += result.bytes
        if kept.count > Self.bufferSize { kept.removeFirst(kept.count - Self.bufferSize) }
        if isHeld {
            result.bytes = []
        } else {
            (result.bytes, kept, gathered) = (kept, [], 0)
        }
        // Epochs stay in order.
        result.due = max(result.due, lastDue)
        lastDue = result.due
        return result
    }

    // MARK: Plugging

    private mutating func plug(_ active: [Int], _ output: Output) -> Output {
        var output = output
        let unplugging = active.first { index in
            switch faults[index].kind {
            case .unplug: true
            // Without power, the receiver's built-in USB port disappears.
            case .powerOff: isUSB
            default: false
            }
        }
        guard let unplugging else {
            isUnplugged = false
            output.plug = .inserted(as: name)
            return output
        }
        // The device is unplugged in the middle of an epoch.
        let sent = isUnplugged ? 0 : randoms[unplugging].below(output.bytes.count)
        output.bytes.removeLast(output.bytes.count - sent)
        isUnplugged = true
        if case .unplug(let newName?) = faults[unplugging].kind { name = newName }
        output.plug = .unplugged
        return output
    }
}

/// Applies faults that affect bits and bytes.
private enum ByteFaults {
    static func apply(
        _ fault: Fault, _ bytes: inout [UInt8], _ lineRate: BaudRate,
        _ random: inout SeededGenerator
    ) {
        switch fault.kind {
        case .bitErrors:
            for index in bytes.indices {
                for bit in 0..<8 where random.happens(fault.probability) {
                    bytes[index] ^= 1 << bit
                }
            }
        case .droppedBytes:
            bytes = bytes.filter { _ in !random.happens(fault.probability) }
        case .repeatedBytes:
            bytes = bytes.flatMap { random.happens(fault.probability) ? [$0, $0] : [$0] }
        case .wrongBaud(let rate):
            bytes = MisreadLine.read(bytes, sentAt: rate.rawValue, readAt: lineRate.rawValue)
        default: break
        }
    }
}

/// Applies faults that affect sentences and UBX frames.
private enum SentenceFaults {
    static func apply(
        _ fault: Fault, _ sentences: inout [[UInt8]], _ random: inout SeededGenerator
    ) {
        guard isConcerned(fault.kind) else { return }
        sentences = sentences.flatMap { sentence in
            random.happens(fault.probability)
                ? messages(insteadOf: sentence, fault.kind, &random) : [sentence]
        }
    }

    private static func isConcerned(_ kind: Fault.Kind) -> Bool {
        switch kind {
        case .badChecksums, .cutSentences, .gluedSentences, .binaryFrames, .cutBinaryFrames: true
        default: false
        }
    }

    private static func messages(
        insteadOf sentence: [UInt8], _ kind: Fault.Kind, _ random: inout SeededGenerator
    ) -> [[UInt8]] {
        switch kind {
        case .badChecksums: return [withBadChecksum(sentence, &random)]
        case .cutSentences:
            // Cut before the asterisk, so that the checksum is missing.
            let star = sentence.lastIndex(of: UInt8(ascii: "*")) ?? sentence.count
            return [Array(sentence.prefix(1 + random.below(star - 1)))]
        case .gluedSentences:
            // A UBX frame has no line end.
            let isFrame = sentence.first == MessageBoundaries.ubxStart
            return [isFrame ? sentence : Array(sentence.dropLast(2))]
        case .binaryFrames(let kind): return [sentence, frame(kind, &random)]
        case .cutBinaryFrames(let kind):
            let frame = frame(kind, &random)
            return [sentence, Array(frame.prefix(2 + random.below(frame.count - 2)))]
        default: return [sentence]
        }
    }

    private static func withBadChecksum(
        _ sentence: [UInt8], _ random: inout SeededGenerator
    ) -> [UInt8] {
        var sentence = sentence
        if sentence.first == MessageBoundaries.ubxStart, let last = sentence.indices.last {
            sentence[last] &+= UInt8(1 + random.below(255))
            return sentence
        }
        guard let star = sentence.lastIndex(of: UInt8(ascii: "*")), star + 2 < sentence.count else {
            return sentence
        }
        // Any other last digit makes the checksum wrong.
        let digits = Array("0123456789ABCDEF".utf8)
        let right = digits.firstIndex(of: sentence[star + 2]) ?? 0
        sentence[star + 2] = digits[(right + 1 + random.below(15)) % 16]
        return sentence
    }

    /// Returns a binary frame with a valid checksum and random content.
    private static func frame(_ kind: BinaryFrames, _ random: inout SeededGenerator) -> [UInt8] {
        switch kind {
        // A raw measurement, because random bytes in a navigation message would be decoded as a
        // position.
        case .ubx: UBXFrame.bytes(RxmRAWX.id, payload: random.bytes(92))
        case .rtcm3: CorrectionMessage.frame(rtcm: random.bytes(20 + Int(random.next() % 200)))
        }
    }
}

extension SeededGenerator {
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// Returns at random whether an event with this probability occurs. For a probability of 1 or
    /// more, returns `true` without drawing a random number.
    mutating func happens(_ probability: Double) -> Bool {
        probability >= 1 || unit() < probability
    }

    /// Returns a random integer from 0 up to, but not including, `limit`; 0 if the limit is not
    /// above 0.
    mutating func below(_ limit: Int) -> Int {
        limit > 0 ? Int(next() % UInt64(limit)) : 0
    }
}

/// Splits the output of a receiver into sentences and UBX frames.
enum MessageBoundaries {
    /// The first byte of a UBX frame. It does not occur in sentences.
    static let ubxStart: UInt8 = 0xB5

    /// Returns the sentences and UBX frames in `bytes`. The last one may be incomplete.
    static func messages(of bytes: [UInt8]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var start = 0
        while let end = end(of: bytes, from: start) {
            messages.append(Array(bytes[start..<end]))
            start = end
        }
        if start < bytes.count { messages.append(Array(bytes[start...])) }
        return messages
    }

    /// Returns the index after the sentence or UBX frame that begins at `start`; `nil` if it is
    /// incomplete.
    static func end(of bytes: [UInt8], from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        switch UBXFrame.recognise(bytes.span, at: start) {
        case .frame(let count): return start + count
        case .incomplete: return nil
        case .none: return bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 }
        }
    }
}

/// Computes the bytes that a UART (8N1) reads if they are sent at a different baud rate.
///
/// The line is sampled bit by bit, beginning at the falling edge of the start bit. Each sample is
/// in the middle of a bit as expected by the reader.
package struct MisreadLine {
    private let bytes: [UInt8]
    /// The duration of a bit at the reader's baud rate, as a multiple of the duration of a sent
    /// bit.
    private let step: Double

    package static func read(_ bytes: [UInt8], sentAt sent: Int, readAt read: Int) -> [UInt8] {
        // If the rates differ by less than 2 %, all bits are still sampled correctly.
        guard abs(sent - read) * 50 > read else { return bytes }
        return MisreadLine(bytes: bytes, step: Double(sent) / Double(read)).result
    }

    private var result: [UInt8] {
        var result: [UInt8] = []
        // All times are in sent bits.
        var time = 0.0
        while let edge = fallingEdge(from: time) {
            guard !isHigh(edge + step / 2) else {
                time = edge + step / 2  // too short for a start bit
                continue
            }
            var byte: UInt8 = 0
            for bit in 0..<8 where isHigh(edge + (Double(bit) + 1.5) * step) { byte |= 1 << bit }
            // A low stop bit is a framing error, but ttys deliver the byte nevertheless.
            result.append(byte)
            time = edge + 9.5 * step
        }
        return result
    }

    /// Returns whether the line is high at a time in sent bits. Each byte consists of a start bit
    /// (low), eight data bits, least significant first, and a stop bit (high). After the last byte,
    /// the line is high.
    private func isHigh(_ time: Double) -> Bool {
        let bit = Int(time)
        guard bit >= 0, bit / 10 < bytes.count else { return true }
        switch bit % 10 {
        case 0: return false
        case 9: return true
        default: return bytes[bit / 10] >> UInt8(bit % 10 - 1) & 1 == 1
        }
    }

    /// Returns the time of the first change from high to low at or after a time, both in sent bits;
    /// `nil` if there is none.
    private func fallingEdge(from time: Double) -> Double? {
        var bit = time.rounded(.up)
        while bit < Double(bytes.count * 10) {
            if isHigh(bit - 1), !isHigh(bit) { return bit }
            bit += 1
        }
        return nil
    }
}
