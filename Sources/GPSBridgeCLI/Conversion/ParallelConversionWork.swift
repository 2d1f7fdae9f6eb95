// SPDX-License-Identifier: MIT
import Compression
import Devices
import Outputs
import Receivers

/// Recordings of sentences being converted on several processor cores.
struct ParallelConversionWork: ~Copyable {
    /// A piece takes some milliseconds; the outputs of all that are under way stay in the processor's cache.
    private static let pieceSize = 1 << 21
    /// How much of what comes before a piece its beginning is guessed from at first: some 16 s at 1 Hz, of
    /// which the trend of the altitudes takes ten.
    private static let warmUpSize = 1 << 14
    /// Less is converted sooner than shared out.
    static let leastSize = 2 << 20
    private static let headSize = 4096 + 64

    private var conversion: ParallelConversion
    private var writer: PieceWriter

    /// Continues a conversion.
    init(
        continuing conversion: consuming Conversion, target: ConversionTarget,
        progress: ProgressLine, jobs: Int
    ) {
        self.conversion = ParallelConversion(
            continuing: conversion, warmUp: Self.warmUpSize,
            // One more than there are cores, so that none waits while the oldest is written.
            jobs: jobs, mostBytes: (jobs + 1) * Self.pieceSize)
        writer = PieceWriter(target: target, progress: progress)
    }

    /// The conversion as it stands.
    var current: Conversion { conversion.conversion }
    /// How many fixes have been written.
    var fixCount: Int { conversion.fixCount }
    /// Whether a sentence was valid.
    var hasValid: Bool { writer.hasValid }
    /// How much is done.
    var progress: ProgressLine { writer.progress }

    /// Converts recordings to their ends, in order, and removes them; stops before the first that is no file of
    /// sentences, or compressed.
    mutating func convert(_ recordings: inout ArraySlice<Recording>) async throws {
        do {
            // The very first piece is small: the others wait for it.
            var length = Self.pieceSize / 8
            // The next one is looked at while those before it are being converted.
            while let recording = recordings.first, let size = recording.size,
                Self.takes(recording)
            {
                recordings.readAhead()
                writer.names.append(recording.name)
                try await convert(recording, size, &length)
                recordings.removeFirst()
            }
            try await conversion.finish { try writer.write($0) }
        } catch {
            conversion.cancel()
            throw error
        }
    }

    /// Whether a recording is a plain file of sentences. Standard input may not be at the file's beginning.
    static func takes(_ recording: Recording) -> Bool {
        guard recording.size != nil, recording.name != "-" else { return false }
        let head = recording.head(headSize)
        return !CompressedInput.isCompressed(head) && ForeignCoding("", head: head) == nil
            && RecordedInput.isSentences(head[...])
    }

    /// Cuts a recording into pieces.
    private mutating func convert(
        _ recording: Recording, _ size: Int, _ length: inout Int
    ) async throws {
        var source = OutputSource(opened: recording.name, origin: .replay)
        source.origin = DataOrigin(recordingHead: recording.head(Self.headSize))
        var start = 0
        repeat {
            let end = min(size, start + length)
            recording.readAhead(start..<end)
            let piece = ConversionPiece(
                of: source, start..<end, isLast: end == size, read: recording.reader)
            try await conversion.push(piece) { try writer.write($0) }
            (start, length) = (end, Self.pieceSize)
        } while start < size
    }
}

/// Writes what pieces have come to; they come in order.
private struct PieceWriter: ~Copyable {
    let target: ConversionTarget
    var progress: ProgressLine
    var names: [String] = []
    private(set) var hasValid = false
    /// Of the recording whose pieces come.
    private var validCount = 0
    private var fixCount = 0
    private var doneCount = 0

    init(target: ConversionTarget, progress: ProgressLine) {
        self.target = target
        self.progress = progress
    }

    mutating func write(_ result: borrowing PieceResult) throws {
        try target.write(result.output.bytes)
        progress.advance(by: result.byteCount)
        validCount += result.validCount
        fixCount += result.fixCount
        guard result.isLast else { return }
        let name = names[doneCount]
        let found = fixCount == 0 ? try Self.binaryProtocol(in: name) : nil
        let isValid = validCount > 0 && found == nil
        hasValid = hasValid || isValid
        if !isValid {
            progress.clear()
            StandardError.sayNothingValid(in: name, binary: found)
        }
        (validCount, fixCount) = (0, 0)
        doneCount += 1
    }

    /// The protocol that a file's beginning consists of, where that is not NMEA.
    private static func binaryProtocol(in name: String) throws -> BinaryProtocol? {
        var detector = BinaryProtocolDetector()
        detector.push(try Recording(name).head(1 << 20))
        return detector.found
    }
}
