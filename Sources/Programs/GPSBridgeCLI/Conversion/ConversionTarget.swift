// SPDX-License-Identifier: MIT
import GPSFiles
import GPSFormats
import GPSIO
import Glibc

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
        format?.traits.hasHead == true ? try SpoolFile() : nil
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

/// The output files of a conversion with `--split`. Their names consist of the given name and a
/// number or a day: `walk-001.gpx`, `walk-20260321.gpx`.
final class SplitTarget {
    /// The maximum number of bytes that are kept until the name of the first file is known.
    private static let waitingLimit = 1 << 20

    /// The name given by the user. The names of the files are derived from it.
    let path: String
    private let name: RecordName
    private let format: any OutputFormat.Type
    private let recordings: [Recording]
    private var current: ConversionTarget?
    /// The output that is kept until the name of the first file is known.
    private var waiting: [UInt8] = []

    /// Creates a target. `recordings` are the input files, which must not be overwritten.
    init(path: String, for format: any OutputFormat.Type, avoiding recordings: [Recording]) {
        self.path = path
        name = RecordName(path)
        self.format = format
        self.recordings = recordings
    }

    /// Writes the conversion's pending output, and completes the files that have ended.
    ///
    /// - Throws: The errors of `ConversionTarget`.
    func write(_ conversion: inout Conversion) async throws {
        for file in conversion.takeEndedFiles() {
            let target = try await target(file.name)
            _ = try target.finish(file.rest, head: file.head, isEmpty: false)
            current = nil
        }
        if let name = conversion.fileName {
            let target = try await target(name)
            try conversion.drain { try target.write($0) }
        } else {
            conversion.drain { span in span.withUnsafeBytes { waiting += $0 } }
            if waiting.count > Self.waitingLimit { conversion.beginFile() }
        }
    }

    /// Completes the last file. Returns `true` if no file was written.
    func finish(_ conversion: inout Conversion, isEmpty: Bool) async throws -> Bool {
        if !isEmpty, conversion.fileName == nil { conversion.beginFile() }
        guard let name = conversion.fileName else { return true }
        return try await target(name).finish(
            conversion.closing, head: conversion.head, isEmpty: isEmpty)
    }

    /// Returns the open target. If there is none, opens the file with this number or day.
    private func target(_ name: String) async throws -> ConversionTarget {
        if let current { return current }
        let target = try await ConversionTarget(path: self.name.path(name), for: format)
        for recording in recordings { try target.check(recording) }
        current = target
        let bytes = waiting
        waiting = []
        try target.write(bytes.span)
        return target
    }
}

/// An unnamed temporary file, for output whose first bytes depend on everything after them.
private final class SpoolFile {
    private static let chunk = 1 << 16

    private let file: UnsafeMutablePointer<FILE>
    private var descriptor: CInt { fileno(file) }

    /// Creates an empty file. Throws a `CommandFailure` if that fails.
    ///
    /// The corresponding C function is `tmpfile`.
    init() throws {
        guard let file = tmpfile() else { throw Self.failure(errno) }
        self.file = file
    }

    deinit { fclose(file) }

    private static func failure(_ errno: CInt) -> CommandFailure {
        CommandFailure(writing: "a temporary file", errno: errno)
    }

    /// Appends bytes. Throws a `CommandFailure` if that fails.
    func write(_ bytes: [UInt8]) throws {
        let error = Descriptor.write(all: bytes, to: descriptor)
        guard error == 0 else { throw Self.failure(error) }
    }

    /// Replaces the first bytes with `head`, then passes all bytes to `body` in chunks.
    ///
    /// - Throws: `CommandFailure`, and the errors of `body`.
    func finish(_ head: [UInt8], _ body: ([UInt8]) throws -> Void) throws {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.failure(errno) }
        try write(head)
        lseek(descriptor, 0, SEEK_SET)
        var room = [UInt8](repeating: 0, count: Self.chunk)
        while true {
            let count = room.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            guard count >= 0 else { throw Self.failure(errno) }
            guard count > 0 else { return }
            try body(Array(room[..<count]))
        }
    }
}
