// SPDX-License-Identifier: MIT

/// PMTiles archives.
enum TileFixture {
    /// The bytes of an archive with an uncompressed root directory.
    static func archive(
        _ directory: [UInt8], tiles: [UInt8], type: UInt8 = 2, compression: UInt8 = 1
    ) -> [UInt8] {
        var header = Array("PMTiles".utf8) + [3] + [UInt8](repeating: 0, count: 119)
        func put(_ value: Int, at offset: Int) {
            for index in 0..<8 { header[offset + index] = UInt8(value >> (8 * index) & 255) }
        }
        put(127, at: 8)
        put(directory.count, at: 16)
        put(127 + directory.count, at: 56)
        (header[97], header[98], header[99], header[101]) = (1, compression, type, 1)
        return header + directory + tiles
    }
}
