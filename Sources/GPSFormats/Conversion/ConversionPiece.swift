// SPDX-License-Identifier: MIT

/// A part of a recording of sentences that is converted on its own.
package struct ConversionPiece: Sendable {
    /// Reads bytes of the recording from an offset on into a buffer: how many, and 0 where it ends.
    package typealias Reader =
        @Sendable (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// Which of several recordings, and an offset in it.
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

    /// Where the recording comes from.
    let source: OutputSource
    /// Where the piece begins, anywhere in the recording.
    let place: Place
    /// How many bytes it has.
    let count: Int
    /// Whether the recording ends with it.
    let isLast: Bool
    /// Called by several tasks at a time.
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

    /// Whether the recording begins with it.
    var isFirst: Bool { place.offset == 0 }
    /// Where the next piece begins.
    var end: Place {
        isLast ? Place(place.recording + 1, 0) : Place(place.recording, place.offset + count)
    }

    /// The state at its beginning, guessed from an earlier state and `warmUp` bytes right before it.
    func guessedStart(from state: ConversionState, warmUp: Int) -> ConversionState {
        var conversion = state.conversion.copy()
        // Nothing that is known of another recording's receiver holds for this one.
        if isFirst || conversion.source != source { conversion.begin(source) }
        conversion.drain { _ in }
        guard !isFirst else { return ConversionState(conversion) }
        conversion.skip()
        // Bytes that cannot be read make a wrong guess.
        _ = push(max(0, place.offset - warmUp)..<place.offset, to: &conversion) { _ in }
        return ConversionState(conversion)
    }

    /// Converts it; false where it cannot be read to its end, or the task is cancelled.
    func convert(by conversion: inout Conversion, _ handle: (Span<UInt8>) -> Void) -> Bool {
        push(place.offset..<place.offset + count, to: &conversion, handle)
    }

    /// Converts bytes in parts that stay in the processor's cache with their output.
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

/// A state of a conversion that is passed on.
///
/// Safety: it is never changed, only copied, and the converter that makes it has no companion.
final class ConversionState: @unchecked Sendable {
    let conversion: Conversion

    init(_ conversion: consuming Conversion) {
        self.conversion = conversion
    }
}
