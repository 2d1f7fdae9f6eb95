// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import NMEA
import UBX

/// Records the raw measurements or the ephemerides of a u-blox receiver as RINEX.
///
/// The header lists the signals that such receivers measure, because those of the recording are not
/// known when it begins.
final class RINEXContent: RecordContent {
    private var file: RINEXFile
    private var framer = Framer()
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
    }

    /// Has no effect: RINEX cannot store it.
    func found(_ origin: DataOrigin) {}

    /// Has no effect: RINEX cannot store a vote.
    func found(_ vote: Vote) {}

    var wantsBytes: Bool { true }

    func push(_ bytes: [UInt8], at time: UTCTime) {
        framer.push(bytes.span) { add($0) }
    }

    private func add(_ event: FramerEvent) {
        if case .frame(.ubx, let bytes, _) = event { file.add(UBXFrame(recognised: bytes)) }
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
    }

    func take() -> [UInt8] {
        var bytes = exchange(&recalled, with: [])
        file.drain { span in
            span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        }
        unconfirmed += bytes
        return bytes
    }

    func confirm() {
        unconfirmed.removeAll(keepingCapacity: true)
        isRecalled = false
    }

    func recall() { isRecalled = true }

    var hasContent: Bool { file.count > 0 }

    var omission: String? { nil }

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
