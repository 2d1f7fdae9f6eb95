// SPDX-License-Identifier: MIT
import Devices
import Inputs
import NMEA
import Outputs
import Receivers

/// Recordings being converted, one after the other.
struct ConversionWork: ~Copyable {
    // The output of a chunk stays in the cache, too.
    private static let chunk = 1 << 16

    private let target: ConversionTarget
    private let tellsStatistics: Bool
    private let plotter: Plotter?
    private let summary: SummaryReport?
    private let format: (any OutputFormat.Type)?
    /// Of all recordings, in bytes.
    private let size: Int
    private var conversion: Conversion
    private var progress: ProgressLine
    /// Whether a recording was damaged: everything else is converted all the same.
    private var isDamaged = false
    private var hasValid = false
    /// Fixes that were written by several cores.
    private var sharedCount = 0
    /// Fixes of files that are not NMEA.
    private var readCount = 0
    /// Looks for the protocol of a file without sentences.
    private var binary = BinaryProtocolDetector()
    private var buffer = [UInt8](repeating: 0, count: ConversionWork.chunk)

    init(
        to format: (any OutputFormat.Type)?, selecting selection: FixSelection,
        target: ConversionTarget, plotter: Plotter?, summary: SummaryReport?, size: Int,
        tellsStatistics: Bool, metadata: OutputMetadata
    ) {
        self.target = target
        self.size = size
        self.tellsStatistics = tellsStatistics
        self.plotter = plotter
        self.format = format
        self.summary = summary
        let both = plotter.flatMap { plotter in summary.map { PlotAndSummary(plotter, $0) } }
        conversion = Conversion(
            to: format, selecting: selection, with: both ?? plotter ?? summary,
            metadata: metadata)
        progress = ProgressLine(total: size, isSilent: format != nil && target.isTerminal)
    }

    /// Converts recordings to their ends, in order; plain files of sentences on so many cores, unless there are few
    /// bytes, or a companion or statistics are wanted.
    mutating func convert(_ recordings: [Recording], jobs: Int) async throws {
        let isShared =
            jobs > 1 && plotter == nil && summary == nil && !tellsStatistics
            && size >= ParallelConversionWork.leastSize
            && format.map { ParallelConversion.supports($0) } == true
        var rest = recordings[...]
        while !rest.isEmpty {
            rest.readAhead()
            if isShared, rest.first.map(ParallelConversionWork.takes) == true {
                try await share(&rest, jobs)
            }
            if let recording = rest.popFirst() { try convert(recording) }
        }
    }

    /// Converts recordings on several cores, and removes them, up to the first that takes one core.
    private mutating func share(_ recordings: inout ArraySlice<Recording>, _ jobs: Int) async throws
    {
        var work = ParallelConversionWork(
            continuing: conversion.copy(), target: target, progress: progress, jobs: jobs)
        try await work.convert(&recordings)
        conversion = work.current
        progress = work.progress
        sharedCount += work.fixCount
        hasValid = hasValid || work.hasValid
    }

    private mutating func convert(_ recording: Recording) throws {
        let target = target
        var source = OutputSource(opened: recording.name, origin: .replay)
        conversion.begin(source)
        plotter?.begin(source.name, .replay)
        summary?.begin()
        var text = StatisticsText()
        var input = RecordedInput(name: FileName.shown(recording.name))
        readCount = 0
        binary = BinaryProtocolDetector()
        let fixCount = conversion.fixCount
        do {
            var done = 0
            while let count = try recording.read(into: &buffer) {
                if done == 0, DataOrigin(recordingHead: buffer[..<count]) == .simulated {
                    source.origin = .simulated
                    conversion.begin(source)
                }
                try push(buffer[..<count], to: &input)
                if tellsStatistics { text.note(buffer[..<count]) }
                try conversion.drain { try target.write($0) }
                progress.advance(by: recording.count - done)
                done = recording.count
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
        let statistics = conversion.statistics
        let found = conversion.fixCount == fixCount ? binary.found : nil
        let isValid = statistics.valid > 0 && found == nil
        hasValid = hasValid || isValid
        guard !isValid || tellsStatistics else { return }
        progress.clear()
        if !isValid { StandardError.sayNothingValid(in: recording.name, binary: found) }
        if tellsStatistics { StandardError.say(text.text(statistics)) }
    }

    private mutating func report(damage: String) {
        progress.clear()
        StandardError.say(damage)
        isDamaged = true
    }

    /// Reports about a file that is not NMEA.
    private mutating func finish(_ recording: Recording, _ format: String, _ lack: String?) {
        hasValid = hasValid || readCount > 0
        guard readCount == 0 || tellsStatistics else { return }
        progress.clear()
        if readCount == 0, !isDamaged {
            let name = FileName.shown(recording.name)
            StandardError.say(
                lack.map { "\(name) has \($0): there is nothing to convert" }
                    ?? "\(name) is \(format) without a position")
        }
        if tellsStatistics { StandardError.say("\(readCount) positions read from \(format)") }
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
    /// Throws an `ExitStatus` where a recording was damaged, or there was nothing to write, which has
    /// been said.
    mutating func finish() throws {
        let isEmpty = conversion.fixCount == 0 && sharedCount == 0
        let isLeftOut = try target.finish(conversion.closing, isEmpty: isEmpty && format != nil)
        try plotter?.finish()
        progress.clear()
        let hasNoSummary = summary.map { $0.fixCount == 0 } ?? false
        if hasValid, isEmpty || hasNoSummary {
            let what = isEmpty ? "was written" : "is in the summary"
            StandardError.say(
                conversion.hasAttitudes
                    ? "no fix \(what): there is no position, only headings or other angles, which `--to json` writes"
                    : "no fix \(what): none has a position, or none was chosen")
        }
        if isLeftOut { StandardError.say("\(target.name) is not written") }
        if isDamaged { throw ExitStatus.failed }
        if isEmpty && (format != nil || !hasValid) || hasNoSummary { throw ExitStatus.nothingFound }
    }
}

extension StandardError {
    /// Reports a file without a valid sentence, with the protocol that it has instead, where that is known.
    static func sayNothingValid(in name: String, binary: BinaryProtocol?) {
        guard let binary else { return sayNothingValid(in: name) }
        let name = name == "-" ? "standard input" : FileName.shown(name)
        say("\(binary.error(of: name, isRecording: true))")
    }
}
