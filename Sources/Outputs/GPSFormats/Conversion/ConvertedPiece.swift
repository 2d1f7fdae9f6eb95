// SPDX-License-Identifier: MIT

/// The result of converting a piece. Its memory is reused for later pieces, because new allocations
/// would take a third of the conversion's time.
// Safety: only the task that converts a piece writes it. It is read after that task has ended, and
// then passed to the next one.
package final class ConvertedPiece: @unchecked Sendable {
    /// The output of the piece.
    package private(set) var bytes: [UInt8] = []
    /// The number of bytes of the recording that were converted.
    package private(set) var count = 0
    /// The number of fixes written in this piece.
    private(set) var fixCount = 0
    /// The number of valid sentences in this piece.
    private(set) var validCount = 0
    /// The state of the conversion at the end of the piece.
    private(set) var end: ConversionState?

    /// Converts a piece, starting with `start`, the state at its beginning. Returns `false` if the
    /// piece cannot be read completely.
    func convert(_ piece: ConversionPiece, from start: ConversionState) -> Bool {
        var conversion = start.conversion.copy()
        let (fixes, valid) = (conversion.fixCount, conversion.validCount)
        bytes.removeAll(keepingCapacity: true)
        let isWhole = piece.convert(by: &conversion) { span in
            span.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        count = piece.count
        (fixCount, validCount) = (conversion.fixCount - fixes, conversion.validCount - valid)
        end = ConversionState(conversion)
        return isWhole
    }
}
