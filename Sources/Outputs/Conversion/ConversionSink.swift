// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// Chooses among what a decoder hands over, and has it written.
struct ConversionSink: DecoderListener {
    var format: any OutputFormat
    private(set) var fixCount = 0
    /// Who else is told of what is of the time that was chosen.
    private var companion: (any DecoderListener)?
    private let hasCompanion: Bool
    private var isWithinTime: Bool
    private let isTrack: Bool
    let takesSentences: Bool
    private let choosesByDistance: Bool
    private let isChoosy: Bool
    private var thinning: FixThinning
    private var simplifier: TrackSimplifier?
    /// What the simplifier has handed over.
    private var kept: [Fix] = []
    private var source = OutputSource()
    private var dilution = DilutionOfPrecision()

    init(
        _ format: any OutputFormat, _ selection: FixSelection, _ companion: (any DecoderListener)?
    ) {
        self.format = format
        self.companion = companion
        hasCompanion = companion != nil
        isWithinTime = selection.start == nil && selection.end == nil
        isTrack = type(of: format).isTrack
        takesSentences = type(of: format).takesSentences
        choosesByDistance = selection.distance != nil
        isChoosy = !selection.isEverything
        thinning = FixThinning(selection)
        simplifier = isTrack ? selection.tolerance.map { TrackSimplifier(tolerance: $0) } : nil
    }

    mutating func begin(_ source: OutputSource) {
        breakOff()
        dilution = DilutionOfPrecision()
        self.source = source
        format.begin(source)
    }

    /// Goes on with another writer.
    mutating func replace(_ format: any OutputFormat) {
        self.format = format
        self.format.begin(source)
        thinning.breakOff()
    }

    /// What follows does not follow on what was.
    mutating func breakOff() {
        thinning.breakOff()
        endSegment()
    }

    // MARK: What is decoded

    mutating func take(_ fix: inout Fix, _ view: SatelliteView) {
        dilution = fix.dilution
        if hasCompanion {
            isWithinTime = thinning.isWithinTime(fix)
            if isWithinTime { companion?.take(&fix, view) }
        }
        guard isTrack || isChoosy else { return write(fix) }
        if isTrack || choosesByDistance {
            guard fix.coordinate != nil else {
                thinning.breakOff()
                return format.skip()
            }
        }
        let verdict = thinning.judge(fix)
        if verdict.beginsSegment {
            endSegment()
            format.beginSegment()
        }
        guard verdict.isWritten else { return format.skip() }
        guard simplifier != nil else { return write(fix) }
        simplify(fix)
    }

    mutating func take(_ view: SatelliteView) {
        if hasCompanion, isWithinTime { companion?.take(view) }
        format.write(view, dilution: dilution)
    }

    mutating func take(_ sentence: RawSentence) {
        if takesSentences { format.take(sentence) }
    }

    // MARK: What is written

    private mutating func write(_ fix: Fix) {
        fixCount += 1
        format.write(fix)
    }

    private mutating func simplify(_ fix: Fix) {
        simplifier?.take(fix, &kept)
        writeKept()
    }

    private mutating func endSegment() {
        simplifier?.endSegment(&kept)
        writeKept()
    }

    private mutating func writeKept() {
        guard !kept.isEmpty else { return }
        for fix in kept { write(fix) }
        kept.removeAll(keepingCapacity: true)
    }
}
