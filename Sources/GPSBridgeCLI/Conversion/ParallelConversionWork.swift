// SPDX-License-Identifier: MIT
import Compression
import Devices
import Outputs

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

    /// Whether recordings can be converted so: long files of sentences that are not compressed.
    static func supports(_ recordings: [Recording], to format: any OutputFormat.Type) -> Bool {
        guard ParallelConversion.supports(format) else { return false }
        var size = 0
        for recording in recordings {
            guard let own = recording.size else { return false }
            size += own
            let head = recording.head(headSize)
            guard !CompressedInput.isCompressed(head), ForeignCoding("", head: head) == nil,
                RecordedInput.isSentences(head[...])
            else { return false }
        }
        return size >= leastSize
    }

    init(
        to format: any OutputFormat.Type, selecting selection: FixSelection, target: StandardOutput,
        size: Int, metadata: OutputMetadata, jobs: Int
    ) {
        conversion = ParallelConversion(
            to: format, selecting: selection, metadata: metadata, warmUp: Self.warmUpSize,
            // One more than there are cores, so that none waits while the oldest is written.
            jobs: jobs, mostBytes: (jobs + 1) * Self.pieceSize)
        writer = PieceWriter(
            target: target, progress: ProgressLine(total: size, isSilent: target.isTerminal))
    }

    /// Converts recordings to their ends, in order.
    mutating func convert(_ recordings: [Recording]) async throws {
        writer.names = recordings.map { $0.name }
        do {
            // The very first piece is small: the others wait for it.
            var length = Self.pieceSize / 8
            for recording in recordings { try await convert(recording, &length) }
            try await conversion.finish { try writer.write($0) }
        } catch {
            conversion.cancel()
            throw error
        }
    }

    /// Cuts a recording into pieces.
    private mutating func convert(_ recording: Recording, _ length: inout Int) async throws {
        let source = OutputSource(opened: recording.name, origin: .replay)
        let size = recording.size ?? 0
        var start = 0
        repeat {
            let end = min(size, start + length)
            let piece = ConversionPiece(
                of: source, start..<end, isLast: end == size, read: recording.reader)
            try await conversion.push(piece) { try writer.write($0) }
            (start, length) = (end, Self.pieceSize)
        } while start < size
    }

    /// Writes the end of the output.
    ///
    /// Throws an `ExitStatus` where there was nothing to write, which has been said.
    mutating func finish() throws {
        let isEmpty = conversion.fixCount == 0
        let isLeftOut = try writer.target.finish(conversion.closing, isEmpty: isEmpty)
        writer.progress.clear()
        guard isEmpty else { return }
        if writer.hasValid {
            StandardError.say("no fix was written: none has a position, or none was chosen")
        }
        if isLeftOut { StandardError.say("\(writer.target.name) is not written") }
        throw ExitStatus.nothingFound
    }
}

/// Writes what pieces have come to; they come in order.
private struct PieceWriter: ~Copyable {
    let target: StandardOutput
    var progress: ProgressLine
    var names: [String] = []
    private(set) var hasValid = false
    /// Of the recording whose pieces come.
    private var validCount = 0
    private var doneCount = 0

    init(target: StandardOutput, progress: consuming ProgressLine) {
        self.target = target
        self.progress = progress
    }

    mutating func write(_ result: borrowing PieceResult) throws {
        try target.write(result.output.bytes)
        progress.advance(by: result.byteCount)
        validCount += result.validCount
        guard result.isLast else { return }
        hasValid = hasValid || validCount > 0
        if validCount == 0 {
            progress.clear()
            StandardError.sayNothingValid(in: names[doneCount])
        }
        validCount = 0
        doneCount += 1
    }
}
