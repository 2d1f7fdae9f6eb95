// SPDX-License-Identifier: MIT
import Compression
import Devices
import Outputs

/// Recordings of sentences being converted on several processor cores.
struct ParallelConversionWork: ~Copyable {
    /// A piece takes some milliseconds, so that all cores have finished at about the same time.
    private static let pieceSize = 1 << 22
    /// How much of what comes before a piece its beginning is guessed from: some 16 s at 10 Hz, of which
    /// the trend of the altitudes takes ten.
    private static let warmUpSize = 1 << 17
    /// Less is converted sooner than shared out.
    static let leastSize = 2 << 20
    private static let headSize = 4096 + 64

    private let target: StandardOutput
    private var conversion: ParallelConversion
    private var progress: ProgressLine
    private var names: [String] = []
    private var hasValid = false
    /// Of the recording whose pieces come back.
    private var validCount = 0
    private var doneCount = 0

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
        self.target = target
        conversion = ParallelConversion(
            to: format, selecting: selection, metadata: metadata, jobs: jobs)
        progress = ProgressLine(total: size, isSilent: target.isTerminal)
    }

    /// Converts recordings to their ends, in order.
    mutating func convert(_ recordings: [Recording]) async throws {
        do {
            for recording in recordings { try await read(recording) }
            try await finishPieces()
        } catch {
            conversion.cancel()
            throw error
        }
    }

    /// Cuts a recording into pieces.
    private mutating func read(_ recording: Recording) async throws {
        names.append(recording.name)
        let source = OutputSource(opened: recording.name, origin: .replay)
        var warmUp: [UInt8] = []
        var bytes: [UInt8] = []
        // The very first piece is small: the others wait for it.
        var size = names.count == 1 ? Self.pieceSize / 8 : Self.pieceSize
        var isFirst = true
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        while let count = try recording.read(into: &buffer) {
            bytes += buffer[..<count]
            guard bytes.count >= size else { continue }
            size = Self.pieceSize
            let piece = ConversionPiece(
                warmUp: warmUp, bytes: bytes, source: source, isFirst: isFirst, isLast: false)
            warmUp = Array(bytes.suffix(Self.warmUpSize))
            isFirst = false
            bytes = []
            bytes.reserveCapacity(size + buffer.count)
            try await push(piece)
        }
        try await push(
            ConversionPiece(
                warmUp: warmUp, bytes: bytes, source: source, isFirst: isFirst, isLast: true))
    }

    private mutating func push(_ piece: ConversionPiece) async throws {
        var results: [PieceResult] = []
        await conversion.push(piece) { results.append(copy $0) }
        for result in results { try write(result) }
    }

    private mutating func finishPieces() async throws {
        var results: [PieceResult] = []
        await conversion.finish { results.append(copy $0) }
        for result in results { try write(result) }
    }

    /// Writes what a piece has come to; pieces come in order.
    private mutating func write(_ result: PieceResult) throws {
        try target.write(result.output)
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

    /// Writes the end of the output.
    ///
    /// Throws an `ExitStatus` where there was nothing to write, which has been said.
    mutating func finish() throws {
        let isEmpty = conversion.fixCount == 0
        let isLeftOut = try target.finish(conversion.closing, isEmpty: isEmpty)
        progress.clear()
        guard isEmpty else { return }
        if hasValid {
            StandardError.say("no fix was written: none has a position, or none was chosen")
        }
        if isLeftOut { StandardError.say("\(target.name) is not written") }
        throw ExitStatus.nothingFound
    }
}
