// SPDX-License-Identifier: MIT
import GNSS
import GPSServer
import GPSTestSupport
import Glibc
import Testing

/// PMTiles archives of images.
@Suite(.timeLimit(.generous))
struct TileArchiveTests {
    /// The examples of the specification and of its implementations.
    @Test(arguments: [
        (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
        (12, 3423, 1763, 19_078_479),
    ])
    func `tiles are numbered along a Hilbert curve`(
        _ zoom: Int, _ x: Int, _ y: Int, _ number: UInt64
    ) {
        #expect(TileArchive.number(zoom: zoom, x: x, y: y) == number)
    }

    @Test(arguments: [(0, 1, 0), (-1, 0, 0), (3, 8, 0), (31, 0, 0), (2, 0, -1)])
    func `invalid tiles have no number`(_ zoom: Int, _ x: Int, _ y: Int) {
        #expect(TileArchive.number(zoom: zoom, x: x, y: y) == nil)
    }

    @Test func `a tile is found, alone or in a run of equal tiles`() throws {
        // Tile 0, then tiles 1 to 3 with one content; nothing for tile 4.
        let directory: [UInt8] = [2, 0, 1, 1, 3, 5, 3, 1, 0]
        let archive = try Self.archive(directory, tiles: Array("worldsea".utf8))
        #expect(archive.contentType == "image/png")
        #expect(archive.maximumZoom == 1)
        #expect(archive.tile(zoom: 0, x: 0, y: 0) == Array("world".utf8))
        #expect(archive.tile(zoom: 1, x: 0, y: 0) == Array("sea".utf8))
        #expect(archive.tile(zoom: 1, x: 1, y: 1) == Array("sea".utf8))
        #expect(archive.tile(zoom: 1, x: 1, y: 0) == nil)
    }

    @Test(
        arguments: [
            [], [255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255], [200], [1, 0, 1, 1],
        ] as [[UInt8]])
    func `a damaged directory is an error`(_ directory: [UInt8]) {
        #expect(throws: TileArchive.Failure.self) { try Self.archive(directory, tiles: []) }
    }

    @Test func `an archive is found by a name that is not UTF-8`() throws {
        let folder = try TemporaryFolder()
        let bytes = TileFixture.archive([1, 0, 1, 3, 1], tiles: Array("sea".utf8))
        let path = folder.path(FileName.string([0x63, 0xE9]))
        #expect(rename(try folder.file("a", bytes), FileName.native(path)) == 0)
        #expect(try TileArchive(path: path).tile(zoom: 0, x: 0, y: 0) == Array("sea".utf8))
    }

    @Test func `offsets and lengths beyond the file have no tile`() throws {
        let archive = try Self.archive([1, 0, 1, 120, 120], tiles: [1])
        #expect(archive.tile(zoom: 0, x: 0, y: 0) == nil)
    }

    @Test func `vector tiles and other files are rejected`() throws {
        #expect(throws: TileArchive.Failure.self) { try Self.archive([0], tiles: [], type: 1) }
        #expect(throws: TileArchive.Failure.self) { try TileArchive(path: "/nowhere.pmtiles") }
        #expect(throws: TileArchive.Failure.self) { try TileArchive(path: "/etc/hostname") }
    }

    /// The word "sea", compressed with gzip.
    private static let compressed: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 43, 78, 77, 4, 0, 55, 193, 201, 139, 3, 0, 0, 0,
    ]

    @Test(arguments: [0, 1, 2, 4] as [UInt8])
    func `compressed tiles are decompressed`(_ compression: UInt8) throws {
        let isCompressed = compression == 2
        let tiles = isCompressed ? Self.compressed : Array("sea".utf8)
        let archive = try Self.archive(
            [1, 0, 1, UInt8(tiles.count), 1], tiles: tiles, compression: compression)
        #expect(archive.tile(zoom: 0, x: 0, y: 0) == Array("sea".utf8))
    }

    @Test func `a damaged compressed tile is missing`() throws {
        var tiles = Self.compressed
        tiles[10] = 255
        let archive = try Self.archive(
            [1, 0, 1, UInt8(tiles.count), 1], tiles: tiles, compression: 2)
        #expect(archive.tile(zoom: 0, x: 0, y: 0) == nil)
    }

    @Test(arguments: [3, 5, 255] as [UInt8])
    func `tiles with another compression are rejected`(_ compression: UInt8) {
        #expect(throws: TileArchive.Failure.self) {
            try Self.archive([0], tiles: [], compression: compression)
        }
    }

    private static func archive(
        _ directory: [UInt8], tiles: [UInt8], type: UInt8 = 2, compression: UInt8 = 1
    ) throws -> TileArchive {
        let folder = try TemporaryFolder()
        let bytes = TileFixture.archive(
            directory, tiles: tiles, type: type, compression: compression)
        return try TileArchive(path: try folder.file("a.pmtiles", bytes))
    }
}
