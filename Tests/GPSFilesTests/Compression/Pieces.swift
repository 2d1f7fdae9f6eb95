// SPDX-License-Identifier: MIT
import GPSFiles

/// The sentences of some seconds, one piece per second.
func pieces(_ count: Int) -> [[UInt8]] {
    (0..<count).map { second in
        let time = 120_000 + second
        return Array(
            "$GPGGA,\(time).00,4807.038,N,01131.\(second % 100)00,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n"
                .utf8)
    }
}

/// The contents of zstd data, and whether the last frame is complete.
func decompressed(_ bytes: [UInt8]) throws -> (content: [UInt8], isWhole: Bool) {
    let decompressor = try ZstdDecompressor()
    let content = try decompressor.all(bytes[...])
    return (content, !decompressor.isInFrame)
}
