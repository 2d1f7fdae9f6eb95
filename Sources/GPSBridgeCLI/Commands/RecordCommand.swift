// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSIO
import GPSReceivers

/// Records a receiver to a file.
struct RecordCommand: Command {
    static let name = "record"
    static let summary = "Record a receiver; survives crashes and full disks."
    static let words = "[SOURCE]"

    static var details: String {
        """
        \(SourceArgument.help)

        Formats:
        \(line(raw, "the receiver's bytes with arrival times; can be read as NMEA"))
        \(FormatArgument.list(where: { $0.isContinuable }))

        The extension of FILE selects the format, also before .gz or .zst; with any other extension it is \(raw).

        The file is complete after every write, and on the disk within a second. An existing file is \
        repaired and continued. While the disk is full, recording waits; if bytes are lost nevertheless, \
        the exit status is 1. A name that ends with .gz or .zst selects compression by gzip or zstd, \
        --compress by zstd.

        Examples:
          gpsbridge record -o drive.nmea
          gpsbridge record /dev/ttyUSB0 -o tracks/track.gpx --rotate day
          gpsbridge record -o drive.nmea --compress
        """
    }

    private static let raw = "raw"
    private static let formats =
        [raw] + OutputFormats.all.filter { $0.isContinuable }.map { $0.name }

    private static func line(_ name: String, _ text: String) -> String {
        FormatArgument.line(name, text)
    }

    static var manual: [ManualSections.Section] { ManualSections.reading }

    static let options: [CommandOption<RecordCommand>] =
        [
            .init("output", "o", value: "FILE", help: "The file to record to") { $0.output = $1 }
                .once(),
            .init(
                "format", "f", value: "FORMAT", choices: formats, help: "What to write; see below"
            ) {
                try $0.setFormat($1)
            }.once(),
            .init("rotate", value: "day|SIZE", help: "Begin a new file each day, or at this size") {
                $0.rotation = try Rotation($1)
            },
            .init(
                "compress", "z",
                help:
                    "Compress by zstd; appends .zst to the name unless it ends with .gz or .zst"
            ) {
                command, _ in command.isCompressed = true
            },
            .init(
                "share",
                help:
                    "Record a tty even if another program reads it; each gets only part of the bytes"
            ) {
                command, _ in command.isShared = true
            },
            .duration(\.duration),
            .live(\.isLive),
            .baudRate(\.baudRate),
        ] + SelectionArguments.thinning(\.selection)

    private var source: String?
    private var output: String?
    private var format: (any OutputFormat.Type)?
    private var isRaw = false
    private var isCompressed = false
    private var isShared = false
    private var isLive = false
    private var rotation: Rotation?
    private var duration: Double?
    private var baudRate: BaudRate?
    private var selection = FixSelection()

    init() {}

    mutating func addArgument(_ word: String) throws {
        guard source == nil else {
            throw UsageError(
                "unexpected argument '\(word)'"
                    + (output == nil ? ": write -o \(word) to record to that file" : ""))
        }
        source = word
    }

    private mutating func setFormat(_ name: String) throws {
        isRaw = name == Self.raw
        guard !isRaw else { return }
        guard let format = OutputFormats.named(name) else {
            throw UsageError.unknown("format", name, known: Self.formats)
        }
        self.format = try Self.checked(format)
    }

    private static func checked(
        _ format: any OutputFormat.Type
    ) throws -> any OutputFormat.Type {
        if format.isContinuable { return format }
        throw UsageError(
            "\(format.name) cannot be recorded, because it cannot be continued after an interruption: "
                + "record \(raw), and convert it")
    }

    /// The output format; `nil` for raw bytes.
    private func chosenFormat(_ output: String) throws -> (any OutputFormat.Type)? {
        if isRaw || format != nil { return format }
        guard let format = OutputFormats.of(path: output), format != NMEAFormat.self else {
            return nil
        }
        return try Self.checked(format)
    }

    /// The error message for a missing `-o`: the source may have been meant as the output.
    private var missingOutput: String {
        guard let source, OutputFormats.of(path: CompressionFormat.plainName(source)) != nil else {
            return "-o FILE is missing: give the file to record to"
        }
        return
            "-o is missing: `gpsbridge record -o \(source)` records the first receiver to \(source)"
    }

    func run() async throws {
        guard let output else { throw UsageError(missingOutput) }
        guard output != "-" else {
            throw UsageError(
                "record needs a file that it can continue; to write to standard output, use "
                    + "`gpsbridge monitor --format nmea`")
        }
        guard !Folder.isThere(output) else {
            let folder = output.hasSuffix("/") ? output : output + "/"
            throw UsageError(
                "\(output) is a folder: name a file in it, such as \(folder)track.nmea")
        }
        try FormatArgument.refuseForeign(output) { $0.isContinuable }
        let named = CompressionFormat(path: output)
        let compression = named ?? (isCompressed ? .zstd : nil)
        let format = try chosenFormat(CompressionFormat.plainName(output))
        if format == nil, !selection.isEverything {
            throw UsageError("--every and --distance are for formats other than \(Self.raw)")
        }
        try SourceArgument.checkLive(isLive, [self.source].compactMap { $0 })
        let source: any DeviceSource =
            try self.source.map {
                // If the source is a recording, it is copied.
                try SourceArgument.decompressedSource(
                    $0, baudRate: baudRate, speed: nil, defaultSpeed: .infinity, isLive: isLive)
            }
            ?? FirstReceiverSource(baudRate: baudRate)
        guard let now = SystemClock.now else { throw UsageError("the system's clock is not set") }
        let content: any RecordContent =
            format.map { FixContent(source, to: $0, selecting: selection) } ?? RawContent()
        let recording = try source.origin == .replay ? self.source.map { try Recording($0) } : nil
        let target = try RecordTarget(
            named == nil ? output + (compression?.fileEnding ?? "") : output, rotation, content,
            compression.map(CompressedCoding.init) ?? PlainCoding(), avoiding: recording?.file,
            at: now)
        // Starts here, so that waiting for a file that another program holds doesn't count.
        if let duration { Signals.end(after: duration) }
        var recorder = Recorder(
            source, isShared: isShared, content: content, target: target)
        ServiceManager.shared?.ready()
        try await recorder.run()
    }
}
