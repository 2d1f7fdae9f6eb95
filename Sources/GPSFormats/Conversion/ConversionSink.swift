// SPDX-License-Identifier: MIT
import GNSS
import NMEA
import UBX

/// Selects fixes of a decoder and writes them in a format.
struct ConversionSink: DecoderListener {
    var format: any OutputFormat
    private(set) var fixCount = 0
    /// Whether an attitude without a position has been omitted.
    private(set) var hasAttitudes = false
    /// Receives every fix and view of the selected time, even those not written.
    private var companion: (any DecoderListener)?
    private let hasCompanion: Bool
    private var isWithinTime: Bool
    private let isTrack: Bool
    let wantsSentences: Bool
    private let selectsByDistance: Bool
    private let hasSelection: Bool
    /// The sentences of epochs that are received in UBX.
    private var written = SentencesOfUBX()
    private var thinning: FixThinning
    private var simplifier: TrackSimplifier?
    /// The fixes kept by the simplifier.
    private var kept: [Fix] = []
    private(set) var source = OutputSource()
    /// Determines the origin of a source whose origin is unknown.
    var origins: OriginDetector?
    /// The time at which the bytes being decoded arrived.
    var arrival: UTCTime?

    init(
        _ format: any OutputFormat, _ selection: FixSelection, _ companion: (any DecoderListener)?
    ) {
        self.format = format
        self.companion = companion
        hasCompanion = companion != nil
        isWithinTime = selection.start == nil && selection.end == nil
        isTrack = type(of: format).isTrack
        wantsSentences = type(of: format).wantsSentences
        selectsByDistance = selection.distance != nil
        hasSelection = !selection.isEverything
        thinning = FixThinning(selection)
        simplifier = isTrack ? selection.tolerance.map { TrackSimplifier(tolerance: $0) } : nil
    }

    /// Whether both sinks produce the same output from the same fixes and views. Known only if fixes are
    /// selected by nothing but time; otherwise `false`.
    func hasSameState(with other: ConversionSink) -> Bool {
        !hasCompanion && !other.hasCompanion && simplifier == nil && other.simplifier == nil
            && written == other.written && thinning == other.thinning && source == other.source
            && (format as? any Equatable)?.isEqual(to: other.format) ?? false
    }

    /// Adopts the state of another sink, which has processed only a part of the source.
    mutating func `continue`(behind other: ConversionSink) {
        let hadAttitudes = hasAttitudes
        self = other
        if hadAttitudes { hasAttitudes = true }
    }

    mutating func begin(_ source: OutputSource) {
        endSegment()
        self.source = source
        format.begin(source)
    }

    /// Continues with another writer.
    mutating func replace(_ format: any OutputFormat) {
        self.format = format
        self.format.begin(source)
        thinning.endSegment()
    }

    /// Ends the segment, because there is a gap before the next fix.
    mutating func endSegment() {
        thinning.endSegment()
        writeSimplified()
    }

    /// Call after skipping a part of the source, so that it does not count as a gap.
    mutating func skip() {
        thinning.skip()
    }

    // MARK: Decoded data

    mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
        if wantsSentences { written.write(fix, view) { format.add($0) } }
        if origins != nil { updateOrigin(fix) }
        if fix.isAttitudeOnly { hasAttitudes = true }
        if hasCompanion {
            isWithinTime = thinning.isWithinTime(fix)
            if isWithinTime { companion?.didReceive(fix: fix, satellites: view) }
        }
        guard isTrack || hasSelection else { return write(fix) }
        if isTrack || selectsByDistance {
            guard fix.coordinate != nil else {
                thinning.endSegment()
                return format.skip()
            }
        }
        let decision = thinning.decision(on: fix)
        if decision.beginsSegment {
            writeSimplified()
            format.beginSegment()
        }
        guard decision.isWritten else { return format.skip() }
        guard simplifier != nil else { return write(fix) }
        simplify(fix)
    }

    mutating func didReceive(satellites view: SatelliteView) {
        if hasCompanion, isWithinTime { companion?.didReceive(satellites: view) }
        if wantsSentences { written.write(view) { format.add($0) } }
        format.write(view)
    }

    /// Passes the origin of the following fixes to the format, once it is known.
    private mutating func updateOrigin(_ fix: Fix) {
        guard fix.coordinate != nil else { return }
        var lateness: Double?
        if let time = fix.time, let arrival {
            lateness = Double(arrival.unixNanoseconds &- time.unixNanoseconds) / 1e9
        }
        origins?.received(isSimulated: fix.quality == .simulated, lateness: lateness)
        guard let origin = origins?.origin, origin != source.origin else { return }
        source.origin = origin
        format.begin(source)
    }

    mutating func didReceive(sentence: RawSentence) {
        guard wantsSentences else { return }
        written.received(sentence)
        format.add(sentence)
    }

    mutating func didReceive(frame: UBXFrame) {
        if wantsSentences { written.received(frame) }
    }

    // MARK: Output

    private mutating func write(_ fix: Fix) {
        fixCount += 1
        format.write(fix)
    }

    private mutating func simplify(_ fix: Fix) {
        simplifier?.add(fix, &kept)
        writeKept()
    }

    private mutating func writeSimplified() {
        simplifier?.endSegment(&kept)
        writeKept()
    }

    private mutating func writeKept() {
        guard !kept.isEmpty else { return }
        for fix in kept { write(fix) }
        kept.removeAll(keepingCapacity: true)
    }
}

extension Equatable {
    /// Whether `other` has the same type and is equal.
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
