// SPDX-License-Identifier: MIT
import NMEA

/// A part of a recording that is converted on its own.
package struct ConversionPiece: Sendable {
    /// What comes before it in the same recording: where this is long enough, the receiver's state at the
    /// piece's beginning follows from it.
    package let warmUp: [UInt8]
    /// The piece itself, cut anywhere.
    package let bytes: [UInt8]
    /// Where the recording comes from.
    package let source: OutputSource
    /// Whether the recording begins with it.
    package let isFirst: Bool
    /// Whether the recording ends with it.
    package let isLast: Bool

    /// Creates a piece.
    package init(
        warmUp: [UInt8], bytes: [UInt8], source: OutputSource, isFirst: Bool, isLast: Bool
    ) {
        self.warmUp = warmUp
        self.bytes = bytes
        self.source = source
        self.isFirst = isFirst
        self.isLast = isLast
    }
}

/// What a piece came to.
package struct PieceResult: Sendable {
    /// The output.
    package fileprivate(set) var output: [UInt8] = []
    /// How many sentences were valid.
    package fileprivate(set) var validCount = 0
    /// How many fixes were written.
    package fileprivate(set) var fixCount = 0
    /// How many bytes of the recording it was.
    package fileprivate(set) var byteCount = 0
    /// Whether the recording ends with it.
    package fileprivate(set) var isLast = false
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

/// A piece that has been converted from a state.
struct ConvertedPiece: Sendable {
    /// So much is decoded at once: its output stays in the cache, too.
    private static let chunk = 1 << 16

    /// The state from which the piece itself was converted.
    let start: ConversionState
    let end: ConversionState
    private(set) var result = PieceResult()

    /// Converts a piece from the state of a conversion somewhere before it.
    init(_ piece: ConversionPiece, guessingFrom state: ConversionState) {
        var conversion = state.conversion.copy()
        if !piece.isFirst {
            // What was known of another recording's receiver does not hold for this one.
            if conversion.source != piece.source { conversion.begin(piece.source) }
            conversion.skip()
            conversion.push(piece.warmUp.span)
            conversion.drain { _ in }
        }
        self.init(piece, &conversion)
    }

    /// Converts a piece from the state at its beginning.
    init(_ piece: ConversionPiece, from state: ConversionState) {
        var conversion = state.conversion.copy()
        self.init(piece, &conversion)
    }

    private init(_ piece: ConversionPiece, _ conversion: inout Conversion) {
        Self.begin(piece, &conversion)
        start = ConversionState(conversion.copy())
        let (valid, fixes) = (conversion.statistics.valid, conversion.fixCount)
        result.output.reserveCapacity(piece.bytes.count)
        var offset = 0
        while offset < piece.bytes.count, !Task.isCancelled {
            let next = min(piece.bytes.count, offset + Self.chunk)
            conversion.push(piece.bytes.span.extracting(offset..<next))
            Self.drain(&conversion, into: &result.output)
            offset = next
        }
        if piece.isLast {
            conversion.end()
            Self.drain(&conversion, into: &result.output)
        }
        result.validCount = conversion.statistics.valid - valid
        result.fixCount = conversion.fixCount - fixes
        result.byteCount = piece.bytes.count
        result.isLast = piece.isLast
        end = ConversionState(conversion.copy())
    }

    /// Whether the piece would have come to the same behind the piece before it.
    func follows(_ state: ConversionState, _ piece: ConversionPiece) -> Bool {
        var conversion = state.conversion.copy()
        Self.begin(piece, &conversion)
        return conversion.isInterchangeable(with: start.conversion)
    }

    private static func begin(_ piece: ConversionPiece, _ conversion: inout Conversion) {
        if piece.isFirst { conversion.begin(piece.source) }
    }

    private static func drain(_ conversion: inout Conversion, into output: inout [UInt8]) {
        conversion.drain { span in
            span.withUnsafeBytes { output.append(contentsOf: $0) }
        }
    }
}
