// SPDX-License-Identifier: MIT

/// The result of a piece. Its memory goes to the next one: new memory for each takes as long as a third of the
/// conversion.
///
/// Safety: written by the one task that converts a piece; it is read when that has ended, and goes to the next task
/// then.
package final class ConvertedPiece: @unchecked Sendable {
    /// The bytes in the output format.
    package private(set) var bytes: [UInt8] = []
    /// How many bytes of the recording it was.
    package private(set) var count = 0
    /// Whether the recording ends with it.
    package private(set) var isLast = false
    /// How many fixes were written.
    private(set) var fixCount = 0
    /// How many sentences were valid.
    private(set) var validCount = 0
    /// The state behind it.
    private(set) var end: ConversionState?

    init() {}

    /// Converts a piece from the state at its beginning; false where it could not be read to its end.
    func convert(_ piece: ConversionPiece, from start: ConversionState) -> Bool {
        var conversion = start.conversion.copy()
        let (fixes, valid) = (conversion.fixCount, conversion.validCount)
        bytes.removeAll(keepingCapacity: true)
        let isWhole = piece.convert(by: &conversion) { span in
            span.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        (count, isLast) = (piece.count, piece.isLast)
        (fixCount, validCount) = (conversion.fixCount - fixes, conversion.validCount - valid)
        end = ConversionState(conversion)
        return isWhole
    }
}
