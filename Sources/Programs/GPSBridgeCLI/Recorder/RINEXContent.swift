// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import NMEA
import UBX

/// Records the raw measurements or the ephemerides of a u-blox receiver as RINEX.
///
/// The header lists the signals that such receivers measure, because those of the recording are not
/// known when it begins. The receiver's name is: it is asked for its version, and its first messages
/// wait a moment for the answer.
final class RINEXContent: RecordContent {
    /// The longest time to wait for the receiver's version, in seconds.
    private static let identificationTime = 2.0
    /// The time in seconds after which a receiver without the messages is reported.
    private static let absenceTime = 10.0

    private var file: RINEXFile
    private var framer = Framer()
    /// The receiver's tty, if it has one.
    private var device: String?
    /// The time of the first bytes, and that of the last.
    private var times: (first: UTCTime, last: UTCTime)?
    private var hasEnded = false
    /// Whether anything was written.
    private var hasWritten = false
    /// The messages that wait for the receiver's version; `nil` if none do any more.
    private var waiting: [[UInt8]]?
    /// The text that was taken and not confirmed.
    private var unconfirmed: [UInt8] = []
    /// The text with which the next file begins.
    private var recalled: [UInt8] = []
    /// Whether the next file begins with what was not confirmed.
    private var isRecalled = false

    init(_ kind: RINEXKind, _ description: RINEXDescription) {
        file = RINEXFile(kind, description)
    }

    func begin(_ source: OutputSource) {
        framer = Framer()
        file.origin = source.origin
        device = source.name.hasPrefix("/") ? source.name : nil
        guard source.origin.mayBeLive, !file.isIdentified else { return }
        waiting = waiting ?? []
    }

    /// Sets the origin that the next file's header names.
    func found(_ origin: DataOrigin) { file.origin = origin }

    /// The receiver's version has its name, which the header contains.
    var request: [UInt8]? { UBXFrame.bytes(MonVER.id, payload: []) }

    /// Has no effect: RINEX cannot store a vote.
    func found(_ vote: Vote) {}

    var wantsBytes: Bool { true }

    func push(_ bytes: [UInt8], at time: UTCTime) {
        times = (times?.first ?? time, time)
        if seconds > Self.identificationTime { endWaiting() }
        framer.push(bytes.span) { add($0) }
    }

    /// The time since the first bytes, in seconds.
    private var seconds: Double {
        times.map { Double($0.last.unixNanoseconds - $0.first.unixNanoseconds) / 1e9 } ?? 0
    }

    private func add(_ event: FramerEvent) {
        guard case .frame(.ubx, let bytes, _) = event else { return }
        let frame = UBXFrame(recognised: bytes)
        guard waiting != nil else { return file.add(frame) }
        guard frame.id == MonVER.id else {
            waiting?.append(bytes.indices.map { bytes[$0] })
            return
        }
        file.add(frame)
        endWaiting()
    }

    /// Adds the messages that have waited for the receiver's version.
    private func endWaiting() {
        guard let frames = exchange(&waiting, with: nil) else { return }
        for bytes in frames {
            if let frame = UBXFrame(bytes.span) { file.add(frame) }
        }
    }

    /// Has no effect: the measurements are in the bytes.
    func add(_ fix: Fix) {}

    /// Has no effect: the ephemerides are in the bytes.
    func add(_ view: SatelliteView) {}

    func silence() {}

    var silenceTolerance: Duration? { nil }

    /// Forgets an incomplete message.
    func addGap() {
        framer = Framer()
    }

    func end() {
        framer.finish { add($0) }
        endWaiting()
        hasEnded = true
    }

    func take() -> [UInt8] {
        var bytes = exchange(&recalled, with: [])
        file.drain { span in
            span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        }
        hasWritten = hasWritten || !bytes.isEmpty
        unconfirmed += bytes
        return bytes
    }

    func confirm() {
        unconfirmed.removeAll(keepingCapacity: true)
        isRecalled = false
    }

    func recall() { isRecalled = true }

    var hasContent: Bool { file.count > 0 }

    /// The reason for an empty file, once it is known.
    var omission: String? {
        guard !hasWritten, times != nil, hasEnded || seconds > Self.absenceTime else { return nil }
        guard file.hasMessages else { return file.reasonForAbsence(device: device) }
        return hasEnded ? "no message has a measurement, or completes an ephemeris" : nil
    }

    var closing: [UInt8] { [] }

    func wholeCount(of bytes: ArraySlice<UInt8>) -> Int {
        bytes.lastIndex(of: 0x0A).map { $0 + 1 - bytes.startIndex } ?? 0
    }

    func prepare(head: [UInt8], end: [UInt8]) -> Int? {
        // The columns of an existing file may be others.
        guard head.isEmpty else { return nil }
        if isRecalled {
            let hasHeader = unconfirmed.starts(with: file.header)
            recalled = (hasHeader ? [] : file.header) + unconfirmed
        } else {
            file.begin()
        }
        confirm()
        return 0
    }

    func obstacle(to head: [UInt8]) -> String? {
        "is a RINEX file, which cannot be continued: add --rotate hour for a file of its own each hour"
    }
}
