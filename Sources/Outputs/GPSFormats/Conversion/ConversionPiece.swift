// SPDX-License-Identifier: MIT

/// A part of an NMEA recording that is converted separately.
package struct ConversionPiece: Sendable {
    /// Reads bytes at an offset in the recording into a buffer. Returns the number of bytes, which
    /// is 0 at the end.
    package typealias Reader =
        @Sendable (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// A position in a list of recordings: the index of the recording and an offset in it.
    package struct Position: Comparable, Sendable {
        package let recording: Int
        package let offset: Int

        /// Creates a position.
        package init(_ recording: Int, _ offset: Int) {
            (self.recording, self.offset) = (recording, offset)
        }

        package static func < (one: Position, other: Position) -> Bool {
            (one.recording, one.offset) < (other.recording, other.offset)
        }
    }

    /// The source of the recording.
    let source: OutputSource
    /// The position of the piece's first byte, which may be in the middle of a sentence.
    let position: Position
    /// The number of bytes in the piece.
    let count: Int
    /// Whether the piece is the last one of the recording.
    let isLast: Bool
    /// Reads bytes. It may be called by several tasks concurrently.
    private let read: Reader

    /// Creates a piece of a recording.
    package init(
        of source: OutputSource, at position: Position, count: Int, isLast: Bool,
        read: @escaping Reader
    ) {
        self.source = source
        self.position = position
        self.count = count
        self.isLast = isLast
        self.read = read
    }

    /// Whether the piece is the first one of the recording.
    var isFirst: Bool { position.offset == 0 }
    /// The position after the piece, where the next piece begins.
    var end: Position {
        isLast
            ? Position(position.recording + 1, 0)
            : Position(position.recording, position.offset + count)
    }

    /// Returns the guessed state at the beginning of the piece. It is the result of converting the
    /// `warmUp` bytes before the piece, starting with `state`.
    func guessedStart(from state: ConversionState, warmUp: Int) -> ConversionState {
        var conversion = state.conversion.copy()
        // The state of another recording must not be used. The origin of the source changes within
        // a recording that was continued.
        if isFirst || conversion.source.name != source.name { conversion.begin(source) }
        conversion.drain { _ in }
        guard !isFirst else { return ConversionState(conversion) }
        conversion.skip()
        // If the bytes cannot be read, the guess is wrong, which is detected later.
        _ = push(max(0, position.offset - warmUp)..<position.offset, to: &conversion) { _ in }
        return ConversionState(conversion)
    }

    /// Converts the piece. Returns `false` if it cannot be read completely or the task is
    /// cancelled.
    func convert(by conversion: inout Conversion, _ handle: (Span<UInt8>) -> Void) -> Bool {
        push(position.offset..<position.offset + count, to: &conversion, handle)
    }

    /// Converts bytes in parts that are small enough to fit in the processor's cache, together with
    /// their output.
    private func push(
        _ range: Range<Int>, to conversion: inout Conversion, _ handle: (Span<UInt8>) -> Void
    ) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let room = UnsafeMutableRawBufferPointer(
                    rebasing: buffer.prefix(range.upperBound - offset))
                // After an error, the caller converts the same bytes again and reports the error.
                guard !Task.isCancelled, let count = try? read(offset, room), count > 0 else {
                    return false
                }
                let bytes = UnsafeRawBufferPointer(rebasing: room.prefix(count))
                conversion.push(recording: bytes.bindMemory(to: UInt8.self).span)
                conversion.drain(handle)
                offset += count
            }
            return true
        }
    }
}

/// The state of a conversion, to be passed between tasks.
// Safety: it is only copied, never changed, and its conversion has no listener, which tasks would
// share.
final class ConversionState: @unchecked Sendable {
    let conversion: Conversion

    init(_ conversion: consuming Conversion) {
        self.conversion = conversion
    }
}
