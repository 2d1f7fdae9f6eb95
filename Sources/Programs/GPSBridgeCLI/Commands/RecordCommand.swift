// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSIO
import GPSReceivers
import SimulatedDevices

/// Records a receiver to a file.
struct RecordCommand: SourceCommand {
    static let name = "record"
    static let summary = "Record a receiver; the recording survives crashes and full disks."
    static let argumentSyntax = "[SOURCE...]"

    static var details: String {
        """
        \(SourceArgument.help)

        Formats:
        \(FormatArgument.line(raw, "the receiver's bytes with arrival times; can be read as NMEA"))
        \(FormatArgument.list(where: { $0.traits.isContinuable }))
        \(RINEXKind.allCases.map { FormatArgument.line($0.rawValue, $0.summary) }.joined(separator: "\n"))

        The extension of FILE, before .gz or .zst if present, selects the format; any other extension selects \(raw).

        The file is complete after every write, and on the disk within a second. An existing file is \
        repaired and continued. While the disk is full, recording waits; if bytes are lost nevertheless, \
        the exit status is 1. A name that ends with .gz or .zst selects compression by gzip or zstd; \
        --compress selects zstd.

        \(VoteArguments.help) The recording contains the winner's sentences, and a line with its name each \
        time the winner changes.

        \(WarmStartArguments.help)

        \(CorrectionArguments.help)

        Examples:
          gpsbridge record
          gpsbridge record -o drive.nmea
          gpsbridge record -o trip.gpx
          gpsbridge record /dev/ttyUSB0 -o tracks/track.gpx --rotate day
          gpsbridge record -o drive.nmea --compress
          gpsbridge record -o site.rnx.gz --rotate hour --marker SITE
          gpsbridge record bow=/dev/ttyUSB0 aft=/dev/ttyACM0 --vote -o boat.nmea
        """
    }

    private static let raw = RecordArguments.raw

    static var manual: [ManualSection] { ManualSections.reading }

    static let options: [CommandOption<RecordCommand>] =
        own + sourceOptions + SelectionArguments.thinning.stored(in: \.recording.selection)
        + RINEXArguments.options.stored(in: \.recording.rinex)
        + ServiceArguments.options.stored(in: \.operation)

    private static let own: [CommandOption<RecordCommand>] = [
        .init(
            "output", letter: "o", \.recording.output, .text("FILE"),
            "The file to record to; default: gpsbridge-TIME.nmea in this folder"
        ).once(),
        .init(
            "format", letter: "f", value: "FORMAT", choices: RecordArguments.formats,
            "The format to write; see below"
        ) { try $0.recording.setFormat($1) }.once(),
        .columns(\.recording.columns),
        .init(
            "rotate", \.recording.rotation, .init("day|hour|SIZE") { try Rotation($0) },
            "Begin a new file each day or hour (UTC), or at this size"),
        .init(
            "compress", letter: "z", \.recording.isCompressed,
            "Compress with zstd; appends .zst to the name unless it ends with .gz or .zst"),
        .init(
            "share", \.isShared,
            "Record a tty even if another program reads it; each gets only part of the bytes"),
        .duration(\.duration),
    ]

    static var service: (any WritableKeyPath<RecordCommand, ServiceArguments> & Sendable)? {
        \RecordCommand.operation
    }

    var sources = SourceArguments()
    private var recording = RecordArguments()
    private var isShared = false
    private var duration: Double?
    private var operation = ServiceArguments()

    func check() throws { _ = (try recording.file(), try receiver()) }

    func checkMachine(_ attempt: (() throws -> Void) -> Void) {
        sources.checkMachine(attempt)
        attempt {
            let file = try recording.file()
            // Only files that are rotated have their folders created.
            guard file.rotation == nil else { return }
            let error = Folder.writeError(at: file.path)
            guard error == 0 else { throw RecordFile.Failure(file.path, errno: error) }
        }
    }

    func run() async throws {
        try await reloading { try await record() }
    }

    private func record() async throws {
        let file = try recording.file()
        let source = try receiver()
        let content = file.content(isCopy: source.origin == .replay && !sources.vote.isActive)
        let inputs = source.parts.filter { $0.origin == .replay }
        let target = try file.target(content, avoiding: inputs.map(\.name))
        // The duration starts here, so that waiting for a file that another program holds doesn't
        // count.
        if let duration { Signals.end(after: duration) }
        var recorder = Recorder(
            source, messages: .all, isShared: isShared, content: content, target: target)
        ServiceManager.shared?.ready()
        try await sources.whileActive([source]) { try await recorder.run() }
    }

    private func receiver() throws -> any DeviceSource {
        if isShared, sources.warmStart.isActive {
            throw UsageError(
                "--warm-start needs all answers of the receiver, but with --share another program "
                    + "may read some of them: leave out --share")
        }
        try refuseOutputAsSource()
        let words = sources.words
        guard sources.vote.isActive || words.count < 2 else {
            let hint =
                recording.output == nil ? "write -o \(words[1]) to record to that file; " : ""
            throw UsageError(
                "unexpected argument '\(words[1])': \(hint)add --vote to combine receivers")
        }
        // A single recording is copied as fast as possible. With `--vote`, recordings are replayed
        // at the recorded speed.
        let found = try sources.deviceSources(defaultSpeed: sources.vote.isActive ? 1 : .infinity)
        let source = found.first ?? FirstReceiverSource(baudRate: sources.baudRate)
        try sources.check([source])
        return source
    }

    /// Throws a `UsageError` if `-o` is missing and a source was probably meant as the output.
    private func refuseOutputAsSource() throws {
        func isFile(_ source: String) -> Bool {
            OutputFormats.of(path: CompressionFormat.plainName(source)) != nil
        }
        guard recording.output == nil, sources.words.count == 1 || sources.vote.isActive,
            let source = sources.words.last(where: isFile)
        else { return }
        throw UsageError(
            sources.words.count == 1
                ? "-o is missing: `gpsbridge record -o \(source)` records the first receiver to \(source)"
                : "-o is missing: write -o \(source) to record to that file")
    }
}
