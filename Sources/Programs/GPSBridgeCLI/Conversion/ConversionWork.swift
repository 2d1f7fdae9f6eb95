// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSReceivers
import NMEA

/// Converts recordings one after the other, or merges them.
struct ConversionWork: ~Copyable {
    // Small enough that the output of a chunk stays in the processor's cache.
    private static let chunk = 1 << 16
    /// The size in bytes of the pieces of the input that cores convert in parallel. A piece takes a
    /// few milliseconds. The outputs of all pieces in progress fit in the processor's cache.
    private static let pieceSize = 1 << 21
    /// The number of bytes before a piece that are decoded first, to predict the decoder's state at
    /// the start of the piece. It is increased after wrong predictions.
    private static let warmUp = 1 << 15
    /// While merging, the output is written each time this number of fixes has been added.
    private static let mergedStride = 256

    static let modelledAltitudes =
        "altitudes above mean sea level are modelled: they are computed from those above the "
        + "ellipsoid with a model of the geoid, whose error is about 1 m and at most 17 m"

    private let target: ConversionTarget
    /// The output files of `--split`; `nil` without `--split`.
    private let split: SplitTarget?
    private let reportsStatistics: Bool
    private let plotter: Plotter?
    private let summary: SummaryCollector?
    let format: (any OutputFormat.Type)?
    /// The total size of all recordings in bytes.
    private let size: Int
    var conversion: Conversion
    /// The conversion of pieces on other cores; `nil` if only one core is used.
    private var parallel: ParallelConversion?
    private var progress: ProgressLine
    /// Whether a recording was damaged. The other recordings are still converted.
    private var isDamaged = false
    private var hasValid = false
    /// The number of fixes with a position, waypoints and routes that were read from the current
    /// recording, if it is not NMEA.
    private var readCount = 0
    /// Whether the waypoints and routes of the current recording have been written before all fixes.
    private var hasWrittenPlaces = false
    /// The number of waypoints and routes omitted because the format stores them before fixes.
    private var leftOutCount = 0
    /// The routes of the current recording, for the summary and the plot.
    private var routes = ReadPlaces(isKept: false)
    /// Detects the binary protocol in a file without sentences.
    private var binary = BinaryProtocolDetector()
    private var buffer = [UInt8](repeating: 0, count: ConversionWork.chunk)

    init(
        to format: (any OutputFormat.Type)?, selecting selection: FixSelection,
        target: ConversionTarget, plotter: Plotter?, summary: SummaryCollector?, size: Int,
        reportsStatistics: Bool, metadata: OutputMetadata,
        split: (rule: TrackSplit, target: SplitTarget)?
    ) {
        self.target = target
        self.split = split?.target
        self.size = size
        self.reportsStatistics = reportsStatistics
        self.plotter = plotter
        self.format = format
        self.summary = summary
        conversion = Conversion(
            to: format, selecting: selection, with: summary ?? plotter,
            metadata: metadata, dividing: split?.rule, readsAllFields: reportsStatistics)
        progress = ProgressLine(total: size, isSilent: format != nil && target.output.isTerminal)
    }

    /// Converts recordings in order. Plain NMEA files are converted on `jobs` cores, unless they
    /// are short, or a plot, a summary or statistics are requested.
    ///
    /// - Throws: `InputError` if all positions that were read from a recording are wrong.
    mutating func convert(_ recordings: [Recording], jobs: Int) async throws {
        if jobs > 1, plotter == nil, summary == nil, !reportsStatistics, size >= Self.pieceSize,
            format.map({ ParallelConversion.supports($0) }) == true
        {
            parallel = ParallelConversion(
                jobs: jobs, pieceSize: Self.pieceSize, warmUp: Self.warmUp
            ) { position, count in
                recordings.indices.contains(position.recording)
                    ? recordings[position.recording].piece(at: position, count) : nil
            }
        }
        try await writePlacesFirst(of: recordings)
        for (index, recording) in recordings.enumerated() {
            recordings[index...].readAhead()
            try await convert(recording, index)
        }
    }

    /// Merges recordings by time. Where one of them has no fix for more than `gap` seconds, it is
    /// not treated as overlapping with the others.
    ///
    /// - Throws: `CommandFailure` if the fixes of a recording are not in order of time, and the error
    ///   of `convert`.
    mutating func merge(_ recordings: [Recording], gap: Double) async throws {
        // The name of a track, which precedes it, lists all files that become part of it.
        let extents = try recordings.map { try MergedRecording.extent(of: $0) }
        let merged = recordings.map {
            MergedRecording($0, keepsWaypoints: format?.traits.hasWaypoints ?? false)
        }
        conversion.begin(merged.first?.source ?? OutputSource())
        summary?.begin()
        try await writePlacesFirst(of: recordings)
        // Waypoints precede the first fixes in a pipe, and must be written before them.
        for recording in merged {
            try recording.advance()
            writePlaces(of: recording)
        }
        var merge = RecordingMerge(merged, extents: extents, gap: gap)
        var (count, size) = (0, 0)
        while let step = try merge.next() {
            if let source = step.source {
                conversion.begin(source)
                plotter?.begin(source.name, source.origin)
                if step.beginsSegment { summary?.endSegment() }
            } else if step.beginsSegment {
                endSegment()
            }
            conversion.add(step.fix, step.view)
            count += 1
            guard count % Self.mergedStride == 0 else { continue }
            for recording in merged { writePlaces(of: recording) }
            try await writeOutput()
            let read = recordings.reduce(0) { $0 + $1.count }
            progress.advance(by: read - size)
            size = read
        }
        for recording in merged { writePlaces(of: recording) }
        conversion.end()
        try await writeOutput()
        for recording in merged { finish(recording) }
    }

    /// Reports problems of a recording that has been merged.
    private mutating func finish(_ merged: MergedRecording) {
        let name = FileName.shown(merged.recording.name)
        let damage =
            merged.damage
            ?? merged.input.leftOut.error(reading: merged.readCount, of: name)?.description
        if let damage { report(damage: damage) }
        report(warning: merged.input.warning, merged.recording)
        if merged.undatedCount > 0 {
            progress.clear()
            StandardError.print(
                "\(merged.undatedCount) fixes of \(name) have no date and are not written: --merge "
                    + "orders fixes by time; convert the file without --merge to keep them")
        }
        let isValid = merged.last != nil || merged.undatedCount > 0 || merged.validCount > 0
        hasValid = hasValid || isValid
        guard !isValid, damage == nil else { return }
        if let format = merged.input.formatName {
            readCount = merged.placeCount
            return finish(merged.recording, format, merged.input.unusableContent, damage: nil)
        }
        progress.clear()
        binary = BinaryProtocolDetector()
        binary.push(merged.recording.head(1 << 20))
        StandardError.reportNoSentence(in: merged.recording.name, binary: lineProtocol)
    }

    /// The protocol of a receiver's line in the recording; `nil` if there is none. A file in another
    /// format that is known has been read as such.
    private var lineProtocol: BinaryProtocol? {
        binary.found.flatMap { $0.isOfFile ? nil : $0 }
    }

    private mutating func convert(_ recording: Recording, _ index: Int) async throws {
        let isShared = parallel != nil && recording.sentenceSource != nil
        let source =
            recording.sentenceSource ?? OutputSource(opened: recording.name, origin: .replay)
        conversion.begin(source)
        plotter?.begin(source.name, source.origin)
        summary?.begin()
        var text = StatisticsText()
        var input =
            isShared
            ? .sentences
            : RecordedInput(
                name: FileName.shown(recording.name),
                keepsWaypoints: format?.traits.hasWaypoints ?? false)
        (readCount, leftOutCount, routes) = (0, 0, ReadPlaces(isKept: false))
        hasWrittenPlaces = arePlacesWritten(of: recording)
        binary = BinaryProtocolDetector()
        let fixCount = conversion.fixCount
        var damage: String?
        do {
            while true {
                if isShared, try await writePiece(of: recording, index) { continue }
                let done = recording.count
                guard let count = try recording.read(into: &buffer) else { break }
                try push(buffer[..<count], to: &input)
                if reportsStatistics { text.note(buffer[..<count]) }
                try await writeOutput()
                progress.advance(by: recording.count - done)
            }
            try push([], to: &input, isLast: true)
        } catch let error as Recording.DamageError {
            // The damage is the reason for any error in the rest.
            try? push([], to: &input, isCutOff: true)
            damage = error.description
        } catch let error as InputError {
            guard !error.isOfWholeFile || readCount == 0 else { throw error }
            damage = error.description
        }
        if damage == nil {
            damage =
                input.leftOut.error(reading: readCount, of: FileName.shown(recording.name))?
                .description
        }
        if let damage { report(damage: damage) }
        observeRoutes()
        conversion.end()
        try await writeOutput()
        report(warning: input.warning, recording)
        if let format = input.formatName {
            finish(recording, format, input.unusableContent, damage: damage)
            if reportsStatistics { input.leftOut.descriptions.forEach { StandardError.print($0) } }
            return
        }
        finish(recording, isShared, hasFixes: conversion.fixCount > fixCount, text)
    }

    /// Reports problems and statistics of a recording that contains sentences.
    private mutating func finish(
        _ recording: Recording, _ isShared: Bool, hasFixes: Bool, _ text: StatisticsText
    ) {
        if isShared, !hasFixes {
            // Pieces converted on other cores have not been passed to the detector.
            binary = BinaryProtocolDetector()
            binary.push(recording.head(1 << 20))
        }
        let found = hasFixes ? nil : lineProtocol
        let isValid = conversion.validCount > 0 && found == nil
        hasValid = hasValid || isValid
        if let datum = conversion.otherDatum {
            let what = "has positions in the datum \(datum), which are not converted to WGS 84"
            report(warning: what, recording)
        }
        let (valid, rejected) = (conversion.validCount, conversion.rejectedCount)
        if isValid, rejected > 2 * valid {
            let reason = StatisticsText.rejection(conversion.statistics).map { ", mostly \($0)" }
            report(
                damage: "\(FileName.shown(recording.name)): \(rejected) of \(valid + rejected) "
                    + "sentences cannot be read\(reason ?? ""): is it damaged?")
        }
        guard !isValid || reportsStatistics else { return }
        progress.clear()
        if !isValid {
            StandardError.reportNoSentence(
                in: recording.name, binary: found,
                rejection: StatisticsText.rejection(conversion.statistics))
        }
        if reportsStatistics { StandardError.print(text.text(conversion.statistics)) }
    }

    /// Writes the next piece of a recording if another core has converted it. Returns whether it
    /// was written.
    private mutating func writePiece(of recording: Recording, _ index: Int) async throws -> Bool {
        let position = ConversionPiece.Position(index, recording.count)
        // The output's header is written first, because a piece continues behind it.
        try conversion.drain { try target.write($0) }
        guard let piece = try await parallel?.piece(at: position, after: conversion) else {
            return false
        }
        try target.write(piece.bytes.span)
        conversion.continue(behind: piece)
        recording.skip(piece.count)
        progress.advance(by: piece.count)
        return true
    }

    private mutating func writeOutput() async throws {
        if let split { return try await split.write(&conversion) }
        try conversion.drain { try target.write($0) }
    }

    private mutating func report(damage: String) {
        progress.clear()
        StandardError.print(damage)
        isDamaged = true
    }

    private mutating func report(warning: String?, _ recording: Recording) {
        guard let warning else { return }
        progress.clear()
        StandardError.printWarning(warning, in: recording.name)
    }

    /// Reports problems of a recording that is not NMEA. If it has no position because of `damage`,
    /// which has been reported, that is enough.
    private mutating func finish(
        _ recording: Recording, _ format: String, _ unusable: String?, damage: String?
    ) {
        reportLeftOut(recording)
        hasValid = hasValid || readCount > 0
        guard readCount == 0 || reportsStatistics else { return }
        progress.clear()
        if readCount == 0, damage == nil {
            let name = FileName.shown(recording.name)
            StandardError.print(
                unusable.map { "\(name) contains \($0): there is nothing to convert" }
                    ?? "\(name) is \(format) without a position")
        }
        if reportsStatistics { StandardError.print("\(readCount) positions read from \(format)") }
    }

    private mutating func push(
        _ bytes: ArraySlice<UInt8>, to input: inout RecordedInput, isLast: Bool = false,
        isCutOff: Bool = false
    ) throws(InputError) {
        try input.push(bytes, isLast: isLast, isCutOff: isCutOff) {
            conversion.push(recording: $0.span)
            binary.push($0)
        } _: {
            add($0)
        }
    }

    mutating func add(_ event: InputEvent) {
        switch event {
        case .fix(let fix, let view):
            if fix.coordinate != nil {
                readCount += 1
                routes.hasTrack = true
            }
            conversion.add(fix, view)
        case .satellites(let view): conversion.add(view)
        case .segment: endSegment()
        case .track(let name):
            endSegment()
            conversion.beginTrack(name)
        case .waypoint(let waypoint):
            count(isWritten: hasWrittenPlaces ? true : conversion.add(waypoint))
        case .route(let route):
            count(isWritten: hasWrittenPlaces ? true : conversion.add(route))
            if plotter != nil || summary != nil { routes.add(route) { _ in } }
        }
    }

    private mutating func endSegment() {
        conversion.endSegment()
        plotter?.endSegment()
        summary?.endSegment()
    }

    /// The reason why no fix was written, for a message.
    private var reasonForNoFix: String {
        if let format, conversion.hasUndated { return format.undatedReason }
        guard !conversion.hasAttitudes else {
            return "there is no position, only headings or other angles, which `--to json` writes"
        }
        let hasPlaces = conversion.placeCount > 0
        let cause = hasPlaces ? "there are only waypoints and routes" : "none has a position"
        let rejection = StatisticsText.rejection(conversion.statistics)
        return "\(cause), or options such as --after or --max-hdop omit all"
            + (rejection.map { "; some sentences were rejected, mostly \($0)" } ?? "")
    }

    /// Completes the output and the plot.
    ///
    /// - Throws: `ExitStatus` if a recording was damaged or there was nothing to write. Messages
    ///   have been printed.
    mutating func finish() async throws {
        let hasSentences = hasValid && conversion.hasSentences
        let isEmpty =
            conversion.fixCount == 0 && conversion.placeCount == 0 && !hasSentences
        let hasNoOutput = isEmpty && format != nil
        let isLeftOut =
            if let split { try await split.finish(&conversion, isEmpty: hasNoOutput) } else {
                try target.finish(
                    conversion.closing, head: conversion.head, isEmpty: hasNoOutput)
            }
        try plotter?.finish()
        progress.clear()
        let hasNoSummary = summary.map { $0.fixCount == 0 } ?? false
        if hasValid, isEmpty || hasNoSummary {
            let what = hasNoOutput || !hasNoSummary ? "was written" : "is in the summary"
            StandardError.print("no fix \(what): \(reasonForNoFix)")
        } else {
            for text in format?.omissions(of: conversion) ?? [] { StandardError.print(text) }
            if conversion.hasModelledAltitude { StandardError.print(Self.modelledAltitudes) }
        }
        if isLeftOut {
            let name = split?.path ?? target.output.name
            StandardError.print("\(name) is not written, because it would be empty")
        }
        if isDamaged { throw ExitStatus.failed }
        if isEmpty && (format != nil || !hasValid) || hasNoSummary { throw ExitStatus.nothingFound }
    }
}

/// Waypoints and routes.
extension ConversionWork {
    /// Writes the waypoints of all files and then their routes, if the format stores both before
    /// fixes. A file with routes is read three times, for its waypoints, routes and fixes, because
    /// it may contain too many routes to keep in memory.
    private mutating func writePlacesFirst(of recordings: [Recording]) async throws {
        var remaining = recordings.filter { arePlacesWritten(of: $0) }
        guard let first = remaining.first else { return }
        conversion.begin(OutputSource(opened: first.name, origin: .replay))
        for writesRoutes in [false, true] {
            var withRoutes: [Recording] = []
            for recording in remaining {
                guard var reader = PlaceReader(recording) else { continue }
                var hasRoute = false
                while let places = try reader.next() {
                    for place in places {
                        switch place {
                        case .waypoint(let waypoint) where !writesRoutes:
                            _ = conversion.add(waypoint)
                        case .route(let route):
                            hasRoute = true
                            if writesRoutes { _ = conversion.add(route) }
                        case .waypoint, .fix, .satellites, .segment, .track: break
                        }
                    }
                    try await writeOutput()
                }
                if hasRoute { withRoutes.append(recording) }
            }
            remaining = withRoutes
        }
    }

    /// Returns whether the waypoints and routes of a recording are written before all fixes.
    private func arePlacesWritten(of recording: Recording) -> Bool {
        format?.traits.placesPrecedeFixes == true && PlaceReader.canRead(recording)
    }

    /// Writes the waypoints and routes that a merged recording has read since the last call.
    private mutating func writePlaces(of recording: MergedRecording) {
        leftOutCount = 0
        hasWrittenPlaces = arePlacesWritten(of: recording.recording)
        for place in recording.takePlaces() { add(place) }
        // Merged fixes are in order of time, which most routes do not have.
        routes = ReadPlaces(isKept: false)
        reportLeftOut(recording.recording)
    }

    /// Passes the points of routes to the summary and the plot if the recording has no track.
    private mutating func observeRoutes() {
        var routes = exchange(&routes, with: ReadPlaces(isKept: false))
        routes.finish { event in
            switch event {
            case .segment, .track:
                plotter?.endSegment()
                summary?.endSegment()
            case .fix(let fix, _): conversion.observe(fix)
            default: break
            }
        }
    }

    /// Counts a waypoint or a route.
    mutating func count(isWritten: Bool) {
        readCount += 1
        leftOutCount += isWritten ? 0 : 1
    }

    /// Prints the number of omitted waypoints and routes (`leftOutCount`).
    private mutating func reportLeftOut(_ recording: Recording) {
        guard leftOutCount > 0, let output = self.format?.name else { return }
        progress.clear()
        StandardError.print(
            "\(leftOutCount) waypoints and routes of \(FileName.shown(recording.name)) are not "
                + "written, because in \(output) they precede tracks: convert a regular file by its "
                + "name, not standard input or a pipe")
    }
}
