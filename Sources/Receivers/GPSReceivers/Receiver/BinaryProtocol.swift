// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// Finds frames of binary protocols that the decoder does not support, and the beginning of files. A
/// frame is recognised by its check value or, without one, by its structure.
package struct FrameSearch: Sendable {
    /// The maximum length of a frame in bytes. No SiRF message is longer.
    private static let capacity = 2048

    private var counts: [BinaryProtocol: Int] = [:]
    private var dleCount = 0
    private var isAtBeginning = true
    private var pending: [UInt8] = []
    /// The index in `pending` after the last TSIP or Garmin frame, to recognise a frame that
    /// directly follows it; negative if there is none.
    private var lastEnd = -1
    private var isChain = false

    /// Creates a search at the beginning of a stream.
    package init() {}

    /// The minimum number of frames without a check value that proves the protocol. Noise may
    /// contain fewer such frames.
    private static let minimumUnchecked = 6

    /// The number of frames found for each protocol. Frames without a check value are included only
    /// if there are at least `minimumUnchecked`.
    package var frames: [BinaryProtocol: Int] {
        dleCount < Self.minimumUnchecked ? counts : counts.merging([.dle: dleCount]) { $1 }
    }

    /// The total number of frames found, including those without a check value.
    var count: Int { counts.values.reduce(dleCount, +) }

    /// Examines the next bytes.
    package mutating func push(_ bytes: some Collection<UInt8>) {
        pending += bytes
        var index = 0
        while index < pending.count {
            switch frame(at: index) {
            case .whole(let end, let kind):
                if kind == .dle {
                    countChained(index, end)
                } else {
                    counts[kind, default: 0] += 1
                }
                index = end
            case .incomplete where pending.count - index < Self.capacity:
                drop(index)
                return
            case .incomplete, .none: index += 1
            }
        }
        drop(pending.count)
    }

    /// Counts a frame without a check value if it directly follows another one, which does not
    /// occur in noise.
    private mutating func countChained(_ start: Int, _ end: Int) {
        if start == lastEnd { dleCount += isChain ? 1 : 2 }
        isChain = start == lastEnd
        lastEnd = end
    }

    private mutating func drop(_ count: Int) {
        if count > 0 { isAtBeginning = false }
        pending.removeFirst(count)
        lastEnd -= count
    }

    private enum Frame {
        case whole(end: Int, BinaryProtocol)
        case incomplete, none
    }

    private func frame(at start: Int) -> Frame {
        switch pending[start] {
        case 0xA0: sirf(start)
        case 0x24: sbf(start)
        case 0x10: dle(start)
        default: isAtBeginning && start == 0 ? file() : .none
        }
    }

    private func file() -> Frame {
        switch pending[0] {
        case UInt8(ascii: "{"): text(#"{"class":"#, .gpsd)
        case UInt8(ascii: "<"): text("<?xml", .xml)
        case 0x1F: text("\u{1F}\u{8B}", .gzip)
        default: .none
        }
    }

    /// Recognises the first characters of a file.
    private func text(_ text: String, _ kind: BinaryProtocol) -> Frame {
        let expected = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        guard expected.starts(with: pending.prefix(expected.count)) else { return .none }
        return pending.count < expected.count ? .incomplete : .whole(end: expected.count, kind)
    }

    /// Recognises a SiRF frame: `A0 A2`, length, payload, sum of 15 bits, `B0 B3`.
    private func sirf(_ start: Int) -> Frame {
        guard start + 4 <= pending.count else { return .incomplete }
        guard pending[start + 1] == 0xA2 else { return .none }
        let length = Int(pending[start + 2]) << 8 | Int(pending[start + 3])
        guard 1...1023 ~= length else { return .none }
        let end = start + length + 8
        guard end <= pending.count else { return .incomplete }
        let sum = pending[start + 4..<start + 4 + length].reduce(0) { ($0 + Int($1)) & 0x7FFF }
        let sent = Int(pending[end - 4]) << 8 | Int(pending[end - 3])
        let isWhole = sum == sent && pending[end - 2] == 0xB0 && pending[end - 1] == 0xB3
        return isWhole ? .whole(end: end, .sirf) : .none
    }

    /// Recognises an SBF frame: `$@`, CRC, id, length of the whole frame, payload; all
    /// little-endian.
    private func sbf(_ start: Int) -> Frame {
        guard start + 8 <= pending.count else {
            return start + 1 < pending.count && pending[start + 1] != 0x40 ? .none : .incomplete
        }
        let length = Int(pending[start + 6]) | Int(pending[start + 7]) << 8
        guard pending[start + 1] == 0x40, 8...Self.capacity ~= length, length % 4 == 0 else {
            return .none
        }
        let end = start + length
        guard end <= pending.count else { return .incomplete }
        // CRC-16/XMODEM over all bytes from the id to the end.
        let crc = pending[start + 4..<end].reduce(0) { crc, byte in
            (0..<8).reduce(crc ^ Int(byte) << 8) { crc, _ in
                (crc << 1 ^ (crc & 0x8000 == 0 ? 0 : 0x1021)) & 0xFFFF
            }
        }
        let sent = Int(pending[start + 2]) | Int(pending[start + 3]) << 8
        return crc == sent ? .whole(end: end, .sbf) : .none
    }

    /// Recognises a TSIP or Garmin frame: `10`, an id that is neither `10` nor `03`, data in which
    /// each `10` is doubled, `10 03`.
    private func dle(_ start: Int) -> Frame {
        guard start + 2 <= pending.count else { return .incomplete }
        guard pending[start + 1] != 0x10, pending[start + 1] != 0x03 else { return .none }
        var index = start + 2
        while index < pending.count, index - start < 512 {
            guard pending[index] == 0x10 else {
                index += 1
                continue
            }
            guard index + 1 < pending.count else { return .incomplete }
            if pending[index + 1] == 0x03 { return .whole(end: index + 2, .dle) }
            guard pending[index + 1] == 0x10 else { return .none }
            index += 2
        }
        return index - start < 512 ? .incomplete : .none
    }
}

/// A binary protocol that a receiver may send instead of NMEA, or together with it. UBX is listed
/// although it is decoded, because a receiver may send only UBX frames without a position.
package enum BinaryProtocol: String, CaseIterable, Sendable {
    /// The protocol of u-blox.
    case ubx = "UBX"
    /// Corrections that a reference station sends to other receivers.
    case rtcm3 = "RTCM 3"
    /// The protocol of SiRF chips.
    case sirf = "SiRF binary"
    /// The Septentrio Binary Format.
    case sbf = "SBF"
    /// Trimble's TSIP, or Garmin's protocol, which has the same frame format.
    case dle = "TSIP or Garmin"
    /// The objects of gpsd, for example from a pipe.
    case gpsd = "gpsd's JSON"
    /// A file such as GPX or KML.
    case xml = "XML"
    /// A compressed file.
    case gzip = "gzip"

    /// Whether this is the content of a file, not of a receiver's line.
    package var isOfFile: Bool { [.gpsd, .xml, .gzip].contains(self) }

    /// Returns advice for the user on switching the receiver to NMEA. For a recording, the advice
    /// is to record it again after the switch.
    package func remedy(for device: String, isRecording: Bool) -> String {
        let remedy = remedy(for: device)
        return isRecording && !isOfFile ? "record it again, but first \(remedy)" : remedy
    }

    private func remedy(for device: String) -> String {
        let tty = device.hasPrefix("/dev/") ? device : "TTY"
        return switch self {
        case .ubx:
            "switch NMEA or NAV-PVT on with `ubxtool -e NMEA` (package gpsd-clients) or u-blox's "
                + "u-center"
        case .sirf:
            "switch the receiver to NMEA with `gpsctl -n \(tty)` (package gpsd-clients), which "
                + "sends SiRF's command"
        case .sbf: "switch NMEA on with Septentrio's RxTools or the receiver's web page"
        case .dle: "switch the receiver to NMEA with the manufacturer's program"
        case .gpsd:
            "read gpsd by `gpsd://localhost`, and a file by its name or with `convert`"
        case .xml, .gzip: "give the file by its name, or use `convert`"
        case .rtcm3:
            "enable NMEA with the manufacturer's program, because the receiver is set up as a reference station"
        }
    }

    /// Returns the protocol with the most frames and the number of its frames; `nil` if there are
    /// no frames.
    package static func most(
        of frames: [BinaryProtocol: Int]
    ) -> (kind: BinaryProtocol, count: Int)? {
        let most = frames.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
        return most.map { ($0.key, $0.value) }
    }

    /// The data that the receiver sends instead of positions, for an error message: `UBX without
    /// positions`, `SBF, not NMEA`.
    package var problem: String {
        self == .ubx ? "UBX without positions" : "\(rawValue), not NMEA"
    }

    /// Returns the error for a device or file that supplies this protocol instead of NMEA, with
    /// advice for the user.
    package func error(of device: String, isRecording: Bool = false) -> DeviceError {
        DeviceError(
            .binaryProtocol, device: device,
            detail: .binaryProtocol(
                name: problem, remedy: remedy(for: device, isRecording: isRecording)))
    }
}

/// Detects which binary protocol a receiver sends instead of NMEA.
///
/// Some receivers send a few text sentences (TXT or proprietary) between their frames. Only a
/// sentence with measurements shows that the receiver sends NMEA.
package struct BinaryProtocolDetector: Sendable {
    /// The number of frames at which the result is certain, so that no more bytes are examined.
    private static let sufficientFrames = 64

    private var framer = Framer()
    private var search = FrameSearch()
    private var ubxCount = 0
    private var rtcmCount = 0
    /// Whether a sentence with measurements has been received.
    private(set) var hasMeasurements = false

    /// Creates a detector at the beginning of a stream.
    package init() {}

    /// The number of frames found for each protocol.
    package var frames: [BinaryProtocol: Int] {
        [.ubx: ubxCount, .rtcm3: rtcmCount].merging(search.frames) { $1 }.filter { $0.value > 0 }
    }

    /// The protocol that is sent instead of NMEA; `nil` if none has been found or NMEA is sent.
    package var found: BinaryProtocol? {
        hasMeasurements ? nil : BinaryProtocol.most(of: frames)?.kind
    }

    /// Examines the next bytes.
    package mutating func push(_ bytes: some Collection<UInt8>) {
        let frameCount = ubxCount + rtcmCount + search.count
        guard !hasMeasurements, frameCount < Self.sufficientFrames else { return }
        search.push(bytes)
        let bytes = Array(bytes)
        framer.push(bytes.span) { event in
            switch event {
            case .sentence(let sentence) where sentence.hasMeasurements: hasMeasurements = true
            case .frame(.ubx, _, _): ubxCount += 1
            case .frame(.rtcm3, _, _): rtcmCount += 1
            default: break
            }
        }
    }
}

/// Detects a binary protocol when a receiver's bytes contain no epochs.
struct BinaryProtocolWatch {
    /// The time without an epoch after which the bytes of a live line are examined. Shorter gaps
    /// are normal, because an epoch arrives in several chunks.
    private static let pause = Duration.seconds(1)
    /// The time without an epoch after which a protocol is reported.
    private static let limit = Duration.seconds(5)

    /// Whether the source is a recording or a pipe. It is examined from its beginning until the
    /// first measurements.
    private let isRecording: Bool
    private var since: MonotonicInstant
    private var detector = BinaryProtocolDetector()
    private var isLooking = false
    private var isOver = false
    private var hasReported = false

    /// Creates a watch for a source that has just been opened.
    init(at now: MonotonicInstant, isRecording: Bool) {
        since = now
        self.isRecording = isRecording
    }

    /// The protocol received instead of NMEA, to be reported when the source ends; `nil` if there
    /// is none.
    var found: BinaryProtocol? { isOver ? nil : detector.found }

    /// Restarts the waiting time; for a recording, ends the watch. Call it for each epoch and for
    /// other measurements.
    mutating func receivedMeasurements(at now: MonotonicInstant) {
        since = now
        isOver = isRecording
        guard isLooking else { return }
        (detector, isLooking, hasReported) = (BinaryProtocolDetector(), false, false)
    }

    /// Examines bytes that did not complete an epoch. Returns a protocol to report, or `nil`.
    mutating func received(_ bytes: [UInt8], at now: MonotonicInstant) -> BinaryProtocol? {
        let elapsed = since.duration(to: now)
        guard !isOver, !hasReported, isRecording || elapsed >= Self.pause else { return nil }
        isLooking = true
        detector.push(bytes)
        guard !detector.hasMeasurements else {
            receivedMeasurements(at: now)
            return nil
        }
        guard elapsed >= Self.limit, let found = detector.found else { return nil }
        hasReported = true
        return found
    }
}
