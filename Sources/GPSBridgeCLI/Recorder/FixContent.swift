// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSIO
import GPSReceivers

/// A receiver's fixes, in one of the output formats.
final class FixContent: RecordContent {
    private let format: any OutputFormat.Type
    private var conversion: Conversion
    /// The number of fixes written to earlier files.
    private var earlierCount = 0

    private let source: any DeviceSource

    init(
        _ source: any DeviceSource, to format: any OutputFormat.Type,
        selecting selection: FixSelection
    ) {
        self.source = source
        self.format = format
        conversion = Conversion(to: format, selecting: selection)
    }

    func begin(_ source: OutputSource) {
        let origins = OriginDetector(self.source)
        conversion.findOrigin(by: origins)
        conversion.begin(
            source, rollover: origins.mayCorrectDates ? WeekRollover(on: SystemClock.now) : nil)
    }

    /// Does nothing: the conversion determines the origin from the fixes.
    func found(_ origin: DataOrigin) {}

    func push(_ bytes: [UInt8], at time: UTCTime) {
        conversion.push(bytes.span, at: time)
    }

    func silence() {
        conversion.silence()
    }

    var silenceTolerance: Duration? { conversion.silenceTolerance }

    func addGap() {
        conversion.restart()
    }

    func end() {
        conversion.end()
    }

    func take() -> [UInt8] {
        var bytes: [UInt8] = []
        conversion.drain { span in
            span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    var hasContent: Bool { conversion.fixCount > earlierCount || !format.isTrack }

    var closing: [UInt8] { conversion.closing }

    func turn(head: [UInt8], end: [UInt8]) -> Int? {
        var writer = format.init()
        guard let kept = head.isEmpty ? 0 : writer.resume(head: head, end: end) else { return nil }
        conversion.turn(to: writer)
        earlierCount = conversion.fixCount
        return kept
    }
}
