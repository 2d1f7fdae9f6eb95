// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSIO

/// The options of `record` and `monitor --record` that describe the recorded file.
struct RecordArguments {
    /// The name of the format that stores the receiver's bytes unchanged.
    static let raw = "raw"
    /// The names of the formats that can be recorded, because their files can be continued after an
    /// interruption.
    static let formats =
        [raw] + OutputFormats.all.filter { $0.isContinuable }.map { $0.name }

    /// The path of the file; `nil` for a default name that contains the time.
    var output: String?
    /// When to begin a new file; `nil` for never.
    var rotation: Rotation?
    /// Whether to compress the file even if its extension does not select compression.
    var isCompressed = false
    /// Additional columns of CSV.
    var columns: OutputColumns = []
    /// The selection of the fixes that are written.
    var selection = FixSelection()

    private var format: (any OutputFormat.Type)?
    private var isRaw = false

    /// Sets the format by its name. Throws a `UsageError` if it is unknown or cannot be recorded.
    mutating func setFormat(_ name: String) throws {
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
            "\(format.name) cannot be recorded, because a file in this format cannot be continued "
                + "after an interruption: record \(raw), for example with -o trip.nmea, and "
                + "convert that file")
    }

    /// Returns the description of the file to record to.
    ///
    /// - Throws: `UsageError` if its name is not suitable, or if other options do not apply to its
    ///   format.
    func file() throws -> RecordedFile {
        let output = self.output ?? Self.name(for: format)
        guard output != "-" else {
            throw UsageError(
                "record cannot write to standard output, because it continues its file after an interruption: use "
                    + "`gpsbridge monitor --format nmea`")
        }
        try FormatArgument.refuseFolder(output, example: "track.nmea")
        try FormatArgument.refuseForeign(output) { $0.isContinuable }
        let named = CompressionFormat(path: output)
        let compression = named ?? (isCompressed ? .zstd : nil)
        let format = try chosenFormat(CompressionFormat.plainName(output))
        let hasGap = selection.gap != FixSelection().gap
        if format == nil, !selection.isEverything || hasGap {
            throw UsageError(
                "--every, --distance and --gap do not apply to \(Self.raw): select another format with "
                    + "--format")
        }
        // With --every or --distance, the first fix after a gap is written in any format.
        if let format, !format.isTrack, hasGap, !selection.isThinned {
            throw UsageError(
                "--gap has no effect, because \(format.name) has no segments: leave it out")
        }
        try FormatArgument.refuse(columns, for: format?.name ?? Self.raw)
        return RecordedFile(
            path: named == nil ? output + (compression?.fileEnding ?? "") : output,
            isNamedByTime: self.output == nil, format: format, compression: compression,
            rotation: rotation, selection: selection, columns: columns)
    }

    /// Returns the default name of the recorded file, before the time is inserted.
    private static func name(for format: (any OutputFormat.Type)?) -> String {
        "gpsbridge." + (format?.fileExtensions.first ?? "nmea")
    }

    /// Returns the format that an option or the extension selects; `nil` for raw bytes.
    private func chosenFormat(_ output: String) throws -> (any OutputFormat.Type)? {
        if isRaw || format != nil { return format }
        guard let format = OutputFormats.of(path: output), format != NMEAFormat.self else {
            return nil
        }
        return try Self.checked(format)
    }
}
