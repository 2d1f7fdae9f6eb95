// SPDX-License-Identifier: MIT
import NMEA

/// A part of a recording that is converted on its own.
package struct ConversionPiece: Sendable {
    /// Reads bytes of the recording from an offset on into a buffer: how many, and 0 where it ends.
    package typealias Reader =
        @Sendable (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// Where the recording comes from.
    package let source: OutputSource
    /// Which of its bytes they are, cut anywhere.
    package let range: Range<Int>
    /// Whether the recording ends with it.
    package let isLast: Bool
    /// Called by several tasks at a time.
    package let read: Reader

    /// Creates a piece.
    package init(
        of source: OutputSource, _ range: Range<Int>, isLast: Bool, read: @escaping Reader
    ) {
        self.source = source
        self.range = range
        self.isLast = isLast
        self.read = read
    }

    /// Whether the recording begins with it.
    var isFirst: Bool { range.lowerBound == 0 }

    /// Hands over the bytes of a range in parts that stay in the processor's cache with their output.
    fileprivate func read(_ range: Range<Int>, _ handle: (Span<UInt8>) -> Void) throws {
        try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            var offset = range.lowerBound
            while offset < range.upperBound, !Task.isCancelled {
                let room = UnsafeMutableRawBufferPointer(
                    rebasing: buffer.prefix(range.upperBound - offset))
                let count = try read(offset, room)
                guard count > 0 else { return }
                let read = UnsafeRawBufferPointer(rebasing: room.prefix(count))
                handle(read.bindMemory(to: UInt8.self).span)
                offset += count
            }
        }
    }
}

/// What a piece came to.
package struct PieceResult: Sendable {
    /// The output.
    package let output: PieceOutput
    /// How many sentences were valid.
    package fileprivate(set) var validCount = 0
    /// How many fixes were written.
    package fileprivate(set) var fixCount = 0
    /// How many bytes of the recording it was.
    package fileprivate(set) var byteCount = 0
    /// Whether the recording ends with it.
    package fileprivate(set) var isLast = false
    /// Why it was not read to its end.
    package fileprivate(set) var failure: (any Error)?

    fileprivate init(_ output: PieceOutput) {
        self.output = output
    }
}

/// The output of one piece after the other: new memory for each takes as long as a third of the conversion.
///
/// Safety: written by the one task that converts a piece; it is read when that has ended, and goes to the
/// next task then.
package final class PieceOutput: @unchecked Sendable {
    /// What was written.
    package fileprivate(set) var bytes: [UInt8] = []

    init() {}
}

/// A state of a conversion that is passed on.
///
/// Safety: it is never changed, only copied, and the converter that makes it has no companion.
final class ConversionState: @unchecked Sendable {
    let conversion: Conversion

    init(_ conversion: consuming Conversion) {
        self.conversion = conversion
    }
}

extension ConversionPiece {
    /// The state at its beginning, by the one behind the piece before it.
    func start(after state: ConversionState) -> ConversionState {
        guard isFirst else { return state }
        var conversion = state.conversion.copy()
        conversion.begin(source)
        return ConversionState(conversion)
    }

    /// The same, guessed from the state of a conversion somewhere before it, and so many bytes right before it.
    func guessedStart(from state: ConversionState, warmUp: Int) -> ConversionState {
        guard !isFirst else { return start(after: state) }
        var conversion = state.conversion.copy()
        // What was known of another recording's receiver does not hold for this one.
        if conversion.source != source { conversion.begin(source) }
        conversion.skip()
        let start = range.lowerBound
        // What cannot be read makes a wrong guess.
        try? read(max(0, start - warmUp)..<start) {
            conversion.push($0)
            conversion.drain { _ in }
        }
        return ConversionState(conversion)
    }

    /// Whether it would come to the same from a state at its beginning as behind the piece before it.
    func canStart(from start: ConversionState, after state: ConversionState) -> Bool {
        isFirst
            ? state.conversion.isInterchangeable(with: start.conversion, beginning: source)
            : state.conversion.isInterchangeable(with: start.conversion)
    }
}

/// A piece that has been converted from a state.
struct ConvertedPiece: Sendable {
    let end: ConversionState
    private(set) var result: PieceResult

    /// Converts a piece from the state at its beginning.
    init(_ piece: ConversionPiece, from start: ConversionState, into output: PieceOutput) {
        var conversion = start.conversion.copy()
        output.bytes.removeAll(keepingCapacity: true)
        result = PieceResult(output)
        let (valid, fixes) = (conversion.statistics.valid, conversion.fixCount)
        do {
            try piece.read(piece.range) {
                conversion.push($0)
                Self.drain(&conversion, into: output)
            }
        } catch {
            result.failure = error
        }
        if piece.isLast {
            conversion.end()
            Self.drain(&conversion, into: output)
        }
        result.validCount = conversion.statistics.valid - valid
        result.fixCount = conversion.fixCount - fixes
        result.byteCount = piece.range.count
        result.isLast = piece.isLast
        end = ConversionState(conversion)
    }

    private static func drain(_ conversion: inout Conversion, into output: PieceOutput) {
        conversion.drain { span in
            span.withUnsafeBytes { output.bytes.append(contentsOf: $0) }
        }
    }
}
