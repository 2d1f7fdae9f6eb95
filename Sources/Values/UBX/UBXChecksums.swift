// SPDX-License-Identifier: MIT

/// Calculates the checksums of possible frames in a buffer.
///
/// Noise can look like the header of a long frame at every sixth byte, so possible frames can
/// overlap. After the first wrong checksum, this type keeps the running sums of all bytes. The
/// checksum of an overlapping frame is then the difference of two sums, and takes the same time for
/// any length.
package struct UBXChecksums: Sendable {
    /// The index, in the buffer, of the latest frame with a wrong checksum; `nil` if there was
    /// none.
    private var wrong: Int?
    /// The index, in the buffer, of the byte to which the first element of `sums` belongs.
    private var start = 0
    /// For each index from `start`, the two Fletcher sums of the bytes from `start` up to the
    /// index, without the byte at the index.
    private var sums: [(a: UInt8, b: UInt8)] = []
    /// Whether `sums` belongs to an earlier buffer.
    private var isStale = true

    /// Creates a calculation without a buffer.
    package init() {}

    /// Discards the stored sums. Call this function before checking another buffer.
    package mutating func reset() {
        wrong = nil
        isStale = true
    }

    /// Records that the checksum of the frame at an index is wrong.
    mutating func didReject(at index: Int) { wrong = index }

    /// Returns the checksum of the bytes at `range`.
    mutating func checksum(_ bytes: Span<UInt8>, _ range: Range<Int>) -> (UInt8, UInt8) {
        guard let wrong, 0...UBXFrame.maximumPayload ~= range.lowerBound - wrong else {
            return UBXFrame.checksum(bytes.extracting(range))
        }
        if isStale || !(0...UBXFrame.maximumPayload ~= range.lowerBound - start) {
            start = range.lowerBound
            sums.removeAll(keepingCapacity: true)
            sums.append((0, 0))
            isStale = false
        }
        var (a, b) = sums[sums.count - 1]
        while start + sums.count <= range.upperBound {
            a &+= bytes[start + sums.count - 1]
            b &+= a
            sums.append((a, b))
        }
        let (first, last) = (sums[range.lowerBound - start], sums[range.upperBound - start])
        let count = UInt8(truncatingIfNeeded: range.count)
        return (last.a &- first.a, last.b &- first.b &- count &* first.a)
    }
}
