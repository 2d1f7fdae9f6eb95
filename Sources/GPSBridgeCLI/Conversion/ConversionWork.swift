// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSReceivers
import NMEA

/// Converts recordings, one after the other.
struct ConversionWork: ~Copyable {
    // Small enough for the output of a chunk to stay in the processor's cache.
    private static let chunk = 1 << 16
    /// The bytes of a piece for another core: some milliseconds of work, and the outputs of all pieces in
    /// progress stay in the cache.
    private static let pieceSize = 1 << 21
    /// The number of bytes before a piece from which the state at its beginning is first predicted.
    private static let warmUp = 1 << 15

    private let target: ConversionTarget
    private let reportsStatistics: Bool
    private let plotter: Plotter?
    private let summary: SummaryReport?
    private let format: (any OutputFormat.Type)?
    /// The size of all recordings in bytes.
    private let size: Int
    private var conversion: Conversion
    /// The conversion on other cores; `nil` if there is none.
    private var parallel: ParallelConversion?
    private var progress: ProgressLine
    /// Whether a recording was damaged; the others are converted nevertheless.
    private var isDamaged = false
    private var hasValid = false
    /// The number of fixes read from files that are not NMEA.
    private var readCount = 0
    /// Detects the protocol of a file without sentences.
    private var binary = BinaryProtocolDetector()
    private var buffer = [UInt8](repeating: 0, count: ConversionWork.chunk)

    init(
        to format: (any OutputFormat.Type)?, selecting selection: FixSelection,
        target: ConversionTarget, plotter: Plotter?, summary: SummaryReport?, size: Int,
        reportsStatistics: Bool, metadata: OutputMetadata
    ) {
        self.target = target
        self.size = size
        self.reportsStatistics = reportsStatistics
        self.plotter = plotter
        self.format = format
        self.summary = summary
        let both = plotter.flatMap { plotter in summary.map { PlotAndSummary(plotter, $0) } }
        conversion = Conversion(
            to: format, selecting: selection, with: both ?? plotter ?? summary,
            metadata: metadata)
        progress = ProgressLine(total: size, isSilent: format != nil && target.isTerminal)
    }

    /// Converts recordings in order. Plain NMEA files are converted on `jobs` cores, unless they are short
    /// or a plot, a summary or statistics are requested.
    mutating func convert(_ recordings: [Recording], jobs: Int) async throws {
        if jobs > 1, plotter == nil, summary == nil, !reportsStatistics, size >= Self.pieceSize,
            format.map({ ParallelConversion.supports($0) }) == true
        {
            parallel = ParallelConversion(
                jobs: jobs, pieceSize: Self.pieceSize, warmUp: Self.warmUp
            ) { place, count in
                recordings.indices.contains(place.recording)
                    ? recordings[place.recording].piece(at: place, count) : nil
            }
        }
        for (index, recording) in recordings.enumerated() {
            recordings[index...].readAhead()
            try await convert(recording, index)
        }
    }

    private mutating func convert(_ recording: Recording, _ index: Int) async throws {
        let target = target
        let isShared = parallel != nil && recording.sentenceSource != nil
        var source =
            recording.sentenceSource ?? OutputSource(opened: recording.name, origin: .replay)
        conversion.begin(source)
        plotter?.begin(source.name, .replay)
        summary?.begin()
        var text = StatisticsText()
        var input =
            isShared ? .sentences : RecordedInput(name: FileName.shown(recording.name))
        readCount = 0
        binary = BinaryProtocolDetector()
        let fixCount = conversion.fixCount
        do {
            while true {
                if isShared, try await writePiece(of: recording, index) { continue }
                let done = recording.count
                guard let count = try recording.read(into: &buffer) else { break }
                if done == 0, source.origin != .simulated,
                    DataOrigin(recordingHead: buffer[..<count]) == .simulated
                {
                    source.origin = .simulated
                    conversion.begin(source)
                }
                try push(buffer[..<count], to: &input)
                if reportsStatistics { text.note(buffer[..<count]) }
                try conversion.drain { try target.write($0) }
                progress.advance(by: recording.count - done)
            }
            try push([], to: &input, isLast: true)
        } catch let error as Recording.Damage {
            report(damage: error.description)
        } catch let error as InputError {
            report(damage: error.description)
        }
        conversion.end()
        try conversion.drain { try target.write($0) }
        if let format = input.formatName { return finish(recording, format, input.lack) }
        finish(recording, isShared, hasFixes: conversion.fixCount > fixCount, text)
    }

    /// Reports on a file of sentences.
    private mutating func finish(
        _ recording: Recording, _ isShared: Bool, hasFixes: Bool, _ text: StatisticsText
    ) {
        if isShared, !hasFixes {
            // This detector has not received the bytes of pieces.
            binary = BinaryProtocolDetector()
            binary.push(recording.head(1 << 20))
        }
        let found = hasFixes ? nil : binary.found
        let isValid = conversion.validCount > 0 && found == nil
        hasValid = hasValid || isValid
        guard !isValid || reportsStatistics else { return }
        progress.clear()
        if !isValid { StandardError.reportNoSentence(in: recording.name, binary: found) }
        if reportsStatistics { StandardError.print(text.text(conversion.statistics)) }
    }

    /// Writes the next piece of a recording if another core has converted it.
    private mutating func writePiece(of recording: Recording, _ index: Int) async throws -> Bool {
        let place = ConversionPiece.Place(index, recording.count)
        // The header of the output is not part of the state.
        try conversion.drain { try target.write($0) }
        guard let piece = try await parallel?.piece(at: place, after: conversion) else {
            return false
        }
        try target.write(piece.bytes)
        conversion.continue(behind: piece)
        recording.skip(piece.count)
        progress.advance(by: piece.count)
        return true
    }

    private mutating func report(damage: String) {
        progress.clear()
        StandardError.print(damage)
        isDamaged = true
    }

    /// Reports on a file that is not NMEA.
    private mutating func finish(_ recording: Recording, _ format: String, _ lack: String?) {
        hasValid = hasValid || readCount > 0
        guard readCount == 0 || reportsStatistics else { return }
        progress.clear()
        if readCount == 0, !isDamaged {
            let name = FileName.shown(recording.name)
            StandardError.print(
                lack.map { "\(name) has \($0): there is nothing to convert" }
                    ?? "\(name) is \(format) without a position")
        }
        if reportsStatistics { StandardError.print("\(readCount) positions read from \(format)") }
    }

    private mutating func push(
        _ bytes: ArraySlice<UInt8>, to input: inout RecordedInput, isLast: Bool = false
    ) throws(InputError) {
        try input.push(bytes, isLast: isLast) {
            conversion.push($0.span)
            binary.push($0)
        } _: { event in
            switch event {
            case .fix(let fix, let view):
                readCount += fix.coordinate == nil ? 0 : 1
                conversion.add(fix, view)
            case .satellites(let view): conversion.add(view)
            case .segment: conversion.endSegment()
            }
        }
    }

    /// Writes the end of the output, and the plot.
    ///
    /// Throws an `ExitStatus` if a recording was damaged or there was nothing to write, after reporting
    /// it.
    mutating func finish() throws {
        let isEmpty = conversion.fixCount == 0
        let isLeftOut = try target.finish(conversion.closing, isEmpty: isEmpty && format != nil)
        try plotter?.finish()
        progress.clear()
        let hasNoSummary = summary.map { $0.fixCount == 0 } ?? false
        if hasValid, isEmpty || hasNoSummary {
            let what = isEmpty ? "was written" : "is in the summary"
            StandardError.print(
                conversion.hasAttitudes
                    ? "no fix \(what): there is no position, only headings or other angles, which `--to json` writes"
                    : "no fix \(what): none has a position, or none was chosen")
        }
        if isLeftOut { StandardError.print("\(target.name) is not written") }
        if isDamaged { throw ExitStatus.failed }
        if isEmpty && (format != nil || !hasValid) || hasNoSummary { throw ExitStatus.nothingFound }
    }
}

extension StandardError {
    /// Reports a file without a valid sentence, with its binary protocol if that is known.
    static func reportNoSentence(in name: String, binary: BinaryProtocol?) {
        guard let binary else { return reportNoSentence(in: name) }
        let name = name == "-" ? "standard input" : FileName.shown(name)
        print("\(binary.error(of: name, isRecording: true))")
    }
}
