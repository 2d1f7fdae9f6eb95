// SPDX-License-Identifier: MIT

/// A part of an NMEA recording that is converted separately.
package struct ConversionPiece: Sendable {
    /// Reads bytes of the recording from an offset into a buffer; returns their number, 0 at the end.
    package typealias Reader =
        @Sendable (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// A position in a list of recordings: the index of the recording and an offset in it.
    package struct Place: Comparable, Sendable {
        package let recording: Int
        package let offset: Int

        /// Creates a place.
        package init(_ recording: Int, _ offset: Int) {
            (self.recording, self.offset) = (recording, offset)
        }

        package static func < (one: Place, other: Place) -> Bool {
            (one.recording, one.offset) < (other.recording, other.offset)
        }
    }

    /// The source of the recording.
    let source: OutputSource
    /// The position of the piece's first byte, which need not begin a sentence.
    let place: Place
    /// The number of bytes.
    let count: Int
    /// Whether it is the last piece of the recording.
    let isLast: Bool
    /// May be called by several tasks at once.
    private let read: Reader

    /// Creates a piece.
    package init(
        of source: OutputSource, at place: Place, count: Int, isLast: Bool,
        read: @escaping Reader
    ) {
        self.source = source
        self.place = place
        self.count = count
        self.isLast = isLast
        self.read = read
    }

    /// Whether it is the first piece of the recording.
    var isFirst: Bool { place.offset == 0 }
    /// The position of the next piece.
    var end: Place {
        isLast ? Place(place.recording + 1, 0) : Place(place.recording, place.offset + count)
    }

    /// Returns the predicted state at the beginning, from an earlier state and the `warmUp` bytes before it.
    func guessedStart(from state: ConversionState, warmUp: Int) -> ConversionState {
        var conversion = state.conversion.copy()
        // The state of another recording's receiver must not be used.
        if isFirst || conversion.source != source { conversion.begin(source) }
        conversion.drain { _ in }
        guard !isFirst else { return ConversionState(conversion) }
        conversion.skip()
        // If the bytes cannot be read, the prediction is wrong.
        _ = push(max(0, place.offset - warmUp)..<place.offset, to: &conversion) { _ in }
        return ConversionState(conversion)
    }

    /// Converts the piece; returns `false` if it cannot be read completely or the task is cancelled.
    func convert(by conversion: inout Conversion, _ handle: (Span<UInt8>) -> Void) -> Bool {
        push(place.offset..<place.offset + count, to: &conversion, handle)
    }

    /// Converts bytes in parts small enough to stay in the processor's cache with their output.
    private func push(
        _ range: Range<Int>, to conversion: inout Conversion, _ handle: (Span<UInt8>) -> Void
    ) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let room = UnsafeMutableRawBufferPointer(
                    rebasing: buffer.prefix(range.upperBound - offset))
                // Errors are reported when the piece is converted on one core.
                guard !Task.isCancelled, let count = try? read(offset, room), count > 0 else {
                    return false
                }
                let bytes = UnsafeRawBufferPointer(rebasing: room.prefix(count))
                conversion.push(bytes.bindMemory(to: UInt8.self).span)
                conversion.drain(handle)
                offset += count
            }
            return true
        }
    }
}

/// A state of a conversion that is passed between tasks.
///
/// Safety: it is only copied, never changed, and its conversion has no companion.
final class ConversionState: @unchecked Sendable {
    let conversion: Conversion

    init(_ conversion: consuming Conversion) {
        self.conversion = conversion
    }
}
