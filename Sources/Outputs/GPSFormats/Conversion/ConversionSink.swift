// SPDX-License-Identifier: MIT
import GNSS
import NMEA
import UBX

/// Selects fixes from a decoder and writes them in a format.
struct ConversionSink: RecordingListener {
    var format: any OutputFormat
    private(set) var fixCount = 0
    /// Whether an attitude without a position has been received.
    private(set) var hasAttitudes = false
    /// Whether a fix has been omitted because the format needs a date and the fix has none, or
    /// because the format cannot store its date.
    private(set) var hasUndated = false
    /// Whether a fix has been written without its altitude; see `OutputFormat.losesAltitude(of:)`.
    private(set) var hasLostAltitude = false
    /// Whether an altitude above mean sea level was computed with the model of the geoid.
    private(set) var hasModelledAltitude = false
    /// Receives every fix that the selection by time and quality accepts, even if thinning omits
    /// it, and every satellite view and epoch without a position in the selected time range.
    private var listener: (any DecoderListener)?
    private var isWithinTime: Bool
    private let traits: FormatTraits
    private let selectsByDistance: Bool
    let hasSelection: Bool
    /// Generates sentences for epochs that are received as UBX messages.
    private var written = SentencesOfUBX(waits: true)
    private var thinning: FixThinning
    /// The files of a conversion that divides its output; otherwise `nil`.
    var files: ConversionFiles?
    private var simplifier: TrackSimplifier?
    /// The fixes that the simplifier has kept and that have not been written yet.
    private var kept: [Fix] = []
    private(set) var source = OutputSource()
    var statedOrigin: DataOrigin?
    var statedVote: Vote?
    /// What has been written since `confirm`, so that it can be written again if the file loses it;
    /// `nil` if that is never necessary.
    private var unconfirmed: [Written]?
    /// The source at the time of `confirm`.
    private var confirmedSource = OutputSource()
    /// Whether the last position is simulated; `nil` before the first of a source.
    private var wasSimulated: Bool?
    /// Whether the last fix was omitted, so that its satellites are omitted too.
    private var isLeftOut = false

    /// Whether sentences are read even if the output does not contain their values, for statistics.
    private let readsAllFields: Bool

    init(
        _ format: any OutputFormat, _ selection: FixSelection, _ listener: (any DecoderListener)?,
        readsAllFields: Bool
    ) {
        self.readsAllFields = readsAllFields
        self.format = format
        self.listener = listener
        isWithinTime = selection.start == nil && selection.end == nil
        traits = type(of: format).traits
        selectsByDistance = selection.distance != nil
        hasSelection = !selection.isEverything
        thinning = FixThinning(selection)
        simplifier =
            traits.isTrack ? selection.tolerance.map { TrackSimplifier(tolerance: $0) } : nil
    }

    var wantsSentences: Bool { traits.wantsSentences }

    var wantsSatellites: Bool {
        traits.wantsSatellites || wantsSentences || listener != nil || readsAllFields
    }

    /// Returns whether both sinks would produce the same output from the same fixes and views. The
    /// result is also `false` if either has a listener, divides the output or simplifies the
    /// track.
    func hasSameState(with other: ConversionSink) -> Bool {
        listener == nil && other.listener == nil && files == nil && simplifier == nil
            && other.simplifier == nil
            && written == other.written && thinning == other.thinning && source == other.source
            && statedOrigin == other.statedOrigin && statedVote == other.statedVote
            && wasSimulated == other.wasSimulated && isLeftOut == other.isLeftOut
            && (format as? any Equatable)?.isEqual(to: other.format) ?? false
    }

    /// Takes over the state of another sink, which has processed the next part of the source.
    mutating func `continue`(behind other: ConversionSink) {
        let (hadAttitudes, hadUndated, hadLost) = (hasAttitudes, hasUndated, hasLostAltitude)
        let hadModelled = hasModelledAltitude
        self = other
        if hadModelled { hasModelledAltitude = true }
        if hadAttitudes { hasAttitudes = true }
        if hadUndated { hasUndated = true }
        if hadLost { hasLostAltitude = true }
    }

    mutating func begin(_ source: OutputSource) {
        endSegment()
        thinning.beginSource()
        written = SentencesOfUBX(waits: true)
        self.source = source
        (statedOrigin, statedVote, wasSimulated) = (nil, nil, nil)
        beginSource()
    }

    private mutating func beginSource() {
        unconfirmed?.append(.source(source))
        isLeftOut = false
        format.begin(source)
    }

    /// Changes the origin of the following fixes. Does nothing for formats that write sentences,
    /// because they do not contain the origin.
    mutating func change(to origin: DataOrigin) {
        guard origin != source.origin, !wantsSentences else { return }
        source.origin = origin
        beginSource()
    }

    /// Ends the segment, and begins a track of the same source. Formats that write sentences have no
    /// names of tracks.
    mutating func begin(track: String?) {
        endSegment()
        guard !wantsSentences else { return }
        source.track = track
        beginSource()
    }

    /// Changes the origin of a fix and of those after it to the one that the recording states.
    /// Begins a segment if only one of the fix and the fix before it is simulated, because they are
    /// not from the same receiver. Otherwise the track continues: a recording of a pipe states its
    /// origin after the first fixes.
    private mutating func follow(_ fix: Fix) {
        let origin = statedOrigin ?? source.origin
        let isSimulated = origin == .simulated || fix.quality == .simulated
        if statedOrigin != nil {
            let isOther = isSimulated != wasSimulated
            if isOther { endTrackSegment() }
            if isOther || isSimulated != source.isSimulated(fix) {
                (listener as? any OriginListener)?.didChange(origin: origin)
                change(to: origin)
                // Formats that write sentences also have it, for the next change.
                source.origin = origin
            }
            if origin == source.origin { statedOrigin = nil }
        }
        if fix.coordinate != nil { wasSimulated = isSimulated }
    }

    /// Continues with another writer and the same source.
    mutating func replace(_ format: any OutputFormat) {
        (self.format, isLeftOut) = (format, false)
        self.format.begin(source)
        thinning.endSegment()
    }

    /// Ends the segment, because there is a gap before the next fix.
    mutating func endSegment() {
        endTrackSegment()
        written.finish { format.addLate($0) }
    }

    private mutating func endTrackSegment() {
        thinning.endSegment()
        files?.splitter.endSegment()
        writeSimplified()
    }

    /// Handles a skipped part of the source, which must not count as a gap.
    mutating func skip() { thinning.skip() }

    // MARK: Decoded data

    mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
        guard let statedVote, fix.vote == nil else { return receive(fix, view) }
        var fix = fix
        fix.vote = statedVote
        receive(fix, view)
    }

    private mutating func receive(_ fix: Fix, _ view: SatelliteView) {
        follow(fix)
        if wantsSentences {
            written.write(fix, view, late: { format.addLate($0) }) { format.add($0) }
            if hasSelection || files != nil { format.prepare(for: fix) }
        }
        if fix.isAttitudeOnly { hasAttitudes = true }
        if listener != nil {
            isWithinTime = thinning.isWithinTime(fix)
            if fix.coordinate == nil ? isWithinTime : thinning.accepts(fix) {
                let modelled = fix.withModelledAltitude
                if modelled != nil { hasModelledAltitude = true }
                listener?.didReceive(fix: modelled ?? fix, satellites: view)
            }
        }
        if files != nil { divide(before: fix) }
        guard traits.isTrack || hasSelection else { return write(fix) }
        if traits.isTrack || selectsByDistance {
            guard fix.coordinate != nil else {
                thinning.endSegment()
                return skipFix()
            }
        }
        let decision = thinning.decision(on: fix)
        if decision.beginsSegment {
            writeSimplified()
            unconfirmed?.append(.segment)
            format.beginSegment()
        }
        guard decision.isWritten else { return skipFix() }
        guard simplifier != nil else { return write(fix) }
        simplifier?.add(fix, &kept)
        writeKept()
    }

    mutating func didReceive(satellites view: SatelliteView) {
        if isWithinTime { listener?.didReceive(satellites: view) }
        if wantsSentences { written.write(view) { format.add($0) } }
        if !isLeftOut { format.write(view) }
    }

    mutating func didReceive(sentence: RawSentence) {
        guard wantsSentences else { return }
        written.received(sentence) { format.addLate($0) }
        format.add(sentence)
    }

    mutating func didReceive(frame: UBXFrame) {
        if wantsSentences { written.received(frame) }
    }

    // MARK: Output

    /// Ends the current file and begins another one if the rule of `files` requires that before
    /// this fix.
    private mutating func divide(before fix: Fix) {
        guard fix.coordinate != nil || !traits.isTrack, traits.hasDate(fix),
            thinning.accepts(fix), let name = files?.splitter.file(beginningWith: fix)
        else { return }
        guard let last = files?.name else {
            files?.name = name
            return
        }
        writeSimplified()
        thinning.endSegment()
        let metadata = files?.metadata ?? OutputMetadata()
        var next: any OutputFormat = format.makeSuccessor() ?? type(of: format).init(metadata)
        files?.end(format, last)
        files?.name = name
        next.begin(source)
        (format, isLeftOut) = (next, false)
    }

    private mutating func skipFix() {
        isLeftOut = true
        format.skip()
    }

    private mutating func write(_ fix: Fix) {
        if !traits.hasDate(fix) {
            hasUndated = true
            return skipFix()
        }
        isLeftOut = false
        fixCount += 1
        unconfirmed?.append(.fix(fix))
        // Few fixes have only one of the altitudes, so the writer is rarely called.
        if (fix.altitude == nil) != (fix.ellipsoidalAltitude == nil), format.losesAltitude(of: fix)
        {
            if !traits.storesEllipsoidalAltitude, let modelled = fix.withModelledAltitude {
                hasModelledAltitude = true
                return format.write(modelled)
            }
            hasLostAltitude = true
        }
        format.write(fix)
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
    /// Returns whether `other` has the same type and is equal.
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}

/// Fixes that a file may lose.
extension ConversionSink {
    /// What a writer of a track has been given.
    private enum Written {
        case source(OutputSource)
        case segment
        case fix(Fix)
    }

    /// Confirms that the file contains what has been written.
    mutating func confirm() {
        unconfirmed?.removeAll(keepingCapacity: true)
        if unconfirmed == nil { unconfirmed = [] }
        confirmedSource = source
    }

    /// Continues with another writer, to which it writes again what was not confirmed. Returns the
    /// number of these fixes.
    mutating func replaceUnconfirmed(_ format: any OutputFormat) -> Int {
        (self.format, isLeftOut) = (format, false)
        self.format.begin(confirmedSource)
        var count = 0
        for written in unconfirmed ?? [] {
            switch written {
            case .source(let source): self.format.begin(source)
            case .segment: self.format.beginSegment()
            case .fix(let fix):
                self.format.write(fix)
                count += 1
            }
        }
        return count
    }
}

/// Fixes and satellites from formats other than NMEA.
extension ConversionSink {
    mutating func add(_ fix: Fix, _ view: SatelliteView?) {
        if wantsSentences {
            var writer = SentenceWriter()
            let modelled = fix.withModelledAltitude
            if modelled != nil { hasModelledAltitude = true }
            writer.write(modelled ?? fix, used: view?.used ?? SatelliteIDSet())
            if let view { writer.write(view) }
            SentencesOfUBX.pass(writer.bytes) { format.add($0) }
        }
        didReceive(fix: fix, satellites: view ?? SatelliteView())
        if let view { didReceive(satellites: view) }
    }

    mutating func add(_ view: SatelliteView) {
        if wantsSentences {
            var writer = SentenceWriter()
            writer.write(view)
            SentencesOfUBX.pass(writer.bytes) { format.add($0) }
        }
        didReceive(satellites: view)
    }

    /// Passes a fix that is not written to the listener if the selection by time and quality
    /// accepts it.
    mutating func observe(_ fix: Fix) {
        if thinning.accepts(fix) {
            listener?.didReceive(fix: fix, satellites: SatelliteView())
        }
    }
}
