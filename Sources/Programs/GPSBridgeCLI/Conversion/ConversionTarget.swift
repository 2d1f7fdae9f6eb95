// SPDX-License-Identifier: MIT
import GPSFiles
import GPSFormats

/// The output of a conversion: standard output or a file. The name of the file determines its
/// compression.
final class ConversionTarget {
    private enum Coding {
        case plain
        case compressed(CompressionFormat, any CompressedFrame)
        /// A KMZ file, which is a ZIP archive with a KML file.
        case zip(ZipArchive)
    }

    let output: StandardOutput
    private let coding: Coding
    /// Holds the output until the file's first bytes, which depend on all fixes, are known; `nil`
    /// if the format does not need this.
    private let spool: SpoolFile?

    /// Creates a target that writes to standard output. Throws a `CommandFailure` if a temporary
    /// file is needed and cannot be created.
    init(for format: (any OutputFormat.Type)?) throws {
        output = StandardOutput()
        coding = .plain
        spool = try Self.spool(for: format)
    }

    /// Creates a target that writes to a file, like `StandardOutput(path:)`. The extension selects
    /// the compression.
    init(path: String, for format: (any OutputFormat.Type)?) async throws {
        if FormatArgument.isKMZ(path) {
            coding = .zip(try ZipArchive(of: "doc.kml"))
        } else if let format = CompressionFormat(path: path) {
            coding = .compressed(format, try format.makeFrame())
        } else {
            coding = .plain
        }
        spool = try Self.spool(for: format)
        output = try await StandardOutput(path: path)
    }

    private static func spool(for format: (any OutputFormat.Type)?) throws -> SpoolFile? {
        format?.hasHead == true ? try SpoolFile() : nil
    }

    /// Throws a `CommandFailure` if the output would overwrite the recording.
    func check(_ recording: Recording) throws {
        guard let file = output.file, file == recording.file else { return }
        throw CommandFailure(
            "cannot write to \(output.name): it is the recording itself; give the output another "
                + "name")
    }

    /// Writes bytes. Throws the errors of `StandardOutput.write`.
    func write(_ bytes: Span<UInt8>) throws {
        if let spool { return try spool.write(bytes.withUnsafeBytes { Array($0) }) }
        guard case .plain = coding else { return try encode(bytes.withUnsafeBytes { Array($0) }) }
        try output.write(bytes)
    }

    private func encode(_ bytes: [UInt8]) throws {
        switch coding {
        case .plain: try output.write(bytes)
        case .compressed(_, let frame): try output.write(try frame.append(bytes))
        case .zip(let archive): try output.write(try archive.append(bytes))
        }
    }

    /// Writes `closing` and completes the file, like `StandardOutput.finish(_:isEmpty:)`. If the
    /// output was kept in a temporary file, its first bytes are replaced with `head`; if there is
    /// no fix, nothing of it is written. Returns `true` if no file was written because the output
    /// is empty.
    func finish(_ closing: [UInt8], head: [UInt8], isEmpty: Bool) throws -> Bool {
        var closing = closing
        if let spool {
            if !isEmpty {
                try spool.write(closing)
                try spool.finish(head, encode)
            }
            closing = []
        }
        let end =
            switch coding {
            case .plain: closing
            case .compressed(let format, let frame):
                frame.size > 0 ? frame.end.bytes(with: closing) : format.whole(closing)
            case .zip(let archive): try archive.end(with: closing)
            }
        return try output.finish(end, isEmpty: isEmpty)
    }
}
