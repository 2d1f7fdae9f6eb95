// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSIO
import Glibc

/// Reads a PMTiles archive (version 3), a file that contains a map's image tiles.
///
/// The format is described at github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md. Reading
/// blocks the thread.
package final class TileArchive: Sendable {
    /// The reason why an archive cannot be used.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// An entry of a directory: `count` consecutive tiles with the same content or, if `count` is
    /// 0, a leaf directory.
    private struct Entry {
        let tile: UInt64
        let offset: UInt64
        let length: UInt64
        let count: UInt64
    }

    /// The maximum size in bytes of a tile or a compressed directory.
    private static let limit: UInt64 = 8 << 20
    private static let headerLength: UInt64 = 127

    /// The media type of the tiles, such as `image/png`.
    package let contentType: String
    /// The highest zoom level with tiles.
    package let maximumZoom: Int
    private let descriptor: CInt
    /// Whether the directories are compressed.
    private let isCompressed: Bool
    private let hasCompressedTiles: Bool
    private let leaves: UInt64
    private let tiles: UInt64
    private let root: [Entry]

    /// Opens an archive.
    ///
    /// Throws a `Failure` if the file cannot be read, is not an archive of version 3, does not
    /// contain image tiles, or is compressed with Brotli or an unknown method.
    package init(path: String) throws(Failure) {
        let descriptor = open(FileName.native(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw Failure(description: "cannot read \(path): \(String(cString: strerror(errno)))")
        }
        var isOpen = true
        defer { if isOpen { close(descriptor) } }
        guard let header = Self.read(descriptor, 0, Self.headerLength),
            header.starts(with: "PMTiles".utf8), header[7] == 3
        else { throw Failure(description: "\(path) is not a PMTiles archive of version 3") }
        func number(_ offset: Int) -> UInt64 {
            UInt64(littleEndianBytes: header[offset..<(offset + 8)])
        }
        let types: [UInt8: String] = [
            2: "image/png", 3: "image/jpeg", 4: "image/webp", 5: "image/avif",
        ]
        guard let type = types[header[99]] else {
            throw Failure(
                description: "the tiles of \(path) are not images: vector tiles are not supported")
        }
        guard header[97] == 1 || header[97] == 2 || header[97] == 4 else {
            throw Failure(
                description:
                    "the index of \(path) is compressed with Brotli, which is not supported: use "
                    + "gzip"
            )
        }
        // 0 means that the compression is not known. Images usually have none.
        guard header[98] < 3 || header[98] == 4 else {
            throw Failure(
                description:
                    "the tiles of \(path) are compressed with a method that is not supported: use "
                    + "gzip, or none"
            )
        }
        hasCompressedTiles = header[98] > 1
        contentType = type
        maximumZoom = Int(min(30, header[101]))
        isCompressed = header[97] != 1
        (leaves, tiles) = (number(40), number(56))
        self.descriptor = descriptor
        guard let bytes = Self.read(descriptor, number(8), number(16)),
            let root = Self.directory(bytes, isCompressed: header[97] != 1)
        else { throw Failure(description: "\(path) is damaged") }
        self.root = root
        isOpen = false
    }

    deinit { close(descriptor) }

    /// Returns the bytes of a tile; `nil` if the archive does not contain it or cannot be read.
    package func tile(zoom: Int, x: Int, y: Int) -> [UInt8]? {
        guard let number = Self.number(zoom: zoom, x: x, y: y) else { return nil }
        var entries = root
        // There are at most four levels of directories, including the root.
        for _ in 0..<4 {
            // The last entry whose first tile is at or before this one.
            let count = entries.sortedPrefixCount { $0.tile <= number }
            guard let entry = entries.prefix(count).last else { return nil }
            if entry.count > 0 {
                guard number - entry.tile < entry.count else { return nil }
                let tile = Self.read(descriptor, tiles &+ entry.offset, entry.length)
                return hasCompressedTiles ? tile.flatMap(Self.decompressed) : tile
            }
            guard let bytes = Self.read(descriptor, leaves &+ entry.offset, entry.length),
                let leaf = Self.directory(bytes, isCompressed: isCompressed)
            else { return nil }
            entries = leaf
        }
        return nil
    }

    /// Returns the tile ID of a tile in an archive; `nil` if the coordinates are not valid. Lower
    /// zoom levels have lower IDs; within a level, IDs follow a Hilbert curve.
    package static func number(zoom: Int, x: Int, y: Int) -> UInt64? {
        guard 0...30 ~= zoom, 0..<(1 << zoom) ~= x, 0..<(1 << zoom) ~= y else { return nil }
        let size = 1 << zoom
        var (x, y, index) = (x, y, 0)
        var step = size / 2
        while step > 0 {
            let (isEast, isSouth) = (x & step > 0, y & step > 0)
            index += step * step * (isEast ? (isSouth ? 2 : 3) : (isSouth ? 1 : 0))
            if !isSouth {
                if isEast { (x, y) = (size - 1 - x, size - 1 - y) }
                (x, y) = (y, x)
            }
            step /= 2
        }
        return ((1 << UInt64(2 * zoom)) - 1) / 3 + UInt64(index)
    }

    private static func directory(_ bytes: [UInt8], isCompressed: Bool) -> [Entry]? {
        guard let bytes = isCompressed ? decompressed(bytes) : bytes else { return nil }
        var reader = VariableIntegers(bytes)
        guard let count = reader.next(), count <= UInt64(bytes.count) else { return nil }
        guard let steps = reader.next(Int(count)), let counts = reader.next(Int(count)),
            let lengths = reader.next(Int(count)), let offsets = reader.next(Int(count))
        else { return nil }
        var (tile, end): (UInt64, UInt64) = (0, 0)
        return steps.indices.map { index in
            tile &+= steps[index]
            // An offset of 0 means that the content follows that of the previous entry.
            let offset = offsets[index] > 0 ? offsets[index] - 1 : end
            end = offset &+ lengths[index]
            return Entry(tile: tile, offset: offset, length: lengths[index], count: counts[index])
        }
    }

    private static func decompressed(_ bytes: [UInt8]) -> [UInt8]? {
        try? CompressedInput.decompressed(bytes, limit: 8 * Int(limit))
    }

    private static func read(_ descriptor: CInt, _ offset: UInt64, _ length: UInt64) -> [UInt8]? {
        guard length <= limit, let start = Int(exactly: offset) else { return nil }
        let bytes = RegularFile.read(descriptor, at: start, Int(length)).bytes
        return bytes.count == Int(length) ? bytes : nil
    }
}

/// Reads variable-length integers: seven bits per byte, least significant bits first.
private struct VariableIntegers {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next(_ count: Int) -> [UInt64]? {
        var values: [UInt64] = []
        values.reserveCapacity(count)
        for _ in 0..<count {
            guard let value = next() else { return nil }
            values.append(value)
        }
        return values
    }

    mutating func next() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard offset < bytes.count else { return nil }
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 127) << shift
            if byte & 128 == 0 { return value }
        }
        return nil
    }
}
