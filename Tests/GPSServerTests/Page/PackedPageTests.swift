// SPDX-License-Identifier: MIT
import CGPSPage
import GNSS
import GPSFiles
import GPSTestTraits
import Glibc
import Testing

/// The built-in files of the page.
@Suite(.timeLimit(.generous))
struct PackedPageTests {
    /// The path of a file of the package.
    private static func path(_ name: String) -> String {
        PackageFile.folder + "/Sources/C/CGPSPage/" + name
    }

    private static func bytes(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&room, 1, room.count, file), count > 0 {
            bytes += room.prefix(count)
        }
        return bytes
    }

    private static var files: [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        var index = 0
        while let file = page_file(index)?.pointee, let path = file.path, let bytes = file.bytes {
            files[String(cString: path)] = Array(
                UnsafeBufferPointer(start: bytes, count: file.count))
            index += 1
        }
        return files
    }

    @Test func `each built-in file is current; scripts/generate/pack-page updates it`() throws {
        let folder = try #require(opendir(Self.path("Files")))
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            let packed = Self.files[name == "index.html" ? "/" : "/" + name]
            let plain = Self.bytes(of: Self.path("Files/" + name))
            let unpacked = try packed.flatMap { try CompressedInput.decompressed($0) }
            // Not the arrays themselves, because a failure would print all bytes.
            let isCurrent = unpacked == plain
            #expect(isCurrent, "run scripts/generate/pack-page: \(name)")
        }
    }

    @Test(arguments: Constellation.allCases)
    func `the page names each constellation`(constellation: Constellation) throws {
        let script = try PackageFile.text("Sources/C/CGPSPage/Files/signals.js")
        let entry = "\(constellation.letter): \"\(constellation.name)\""
        #expect(script.contains(entry), "add to CONSTELLATIONS in signals.js: \(entry)")
    }

    @Test func `the page has at most 150 kB`() {
        let sum = Self.files.values.reduce(0) { $0 + $1.count }
        #expect(sum < 150_000)
        #expect(Self.files.count == 22)
    }
}
