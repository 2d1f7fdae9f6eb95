// SPDX-License-Identifier: MIT
import CGPSZstd

/// A failure to compress or decompress data.
package struct CompressionError: Error, CustomStringConvertible {
    /// The message of zlib, libzstd or this module.
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Creates the error for a result of libzstd; `nil` if the result is not an error.
    ///
    /// The corresponding C functions are `ZSTD_isError` and `ZSTD_getErrorName`.
    init?(_ result: Int) {
        guard ZSTD_isError(result) != 0 else { return nil }
        description = ZSTD_getErrorName(result).map { String(cString: $0) } ?? "unknown"
    }
}
