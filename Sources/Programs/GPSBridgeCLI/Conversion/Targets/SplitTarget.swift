// SPDX-License-Identifier: MIT
import GPSFormats

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
