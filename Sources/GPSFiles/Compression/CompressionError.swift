// SPDX-License-Identifier: MIT
import CGPSZstd

/// The reason why data cannot be compressed or decompressed.
package struct CompressionError: Error, CustomStringConvertible {
    /// The library's description.
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    /// The failure behind a result of the library; `nil` if there is none.
    ///
    /// The corresponding C functions are `ZSTD_isError` and `ZSTD_getErrorName`.
    init?(_ result: Int) {
        guard ZSTD_isError(result) != 0 else { return nil }
        description = ZSTD_getErrorName(result).map { String(cString: $0) } ?? "unknown"
    }
}
