// SPDX-License-Identifier: MIT
import CGPSZstd
import Foundation
import GNSS
import GNSSNavigation
import GPSTestTraits
import UBX

/// Recordings of navigation messages with known answers, which are not part of this package.
enum NavigationRecordings {
    private static let folder: URL = {
        let named = ProcessInfo.processInfo.environment["GPSBRIDGE_RINEX_CORPUS"]
        return named.map { URL(filePath: $0) }
            ?? URL(filePath: PackageFile.folder + "/../shared/corpus/rinex").standardizedFileURL
    }()

    /// The names of those with ephemerides; empty if there are none.
    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".nav.zst") && !$0.contains("gps-qzss") }
            .map { String($0.dropLast(8)) }.sorted()
    }()

    /// Returns the content of a file, without its compression.
    static func content(_ name: String) throws -> [UInt8] {
        let url = folder.appending(path: name)
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        let packed = [UInt8](try Data(contentsOf: url))
        guard name.hasSuffix(".zst") else { return packed }
        let size = ZSTD_getFrameContentSize(packed, packed.count)
        var bytes = [UInt8](repeating: 0, count: Int(size))
        _ = ZSTD_decompress(&bytes, bytes.count, packed, packed.count)
        return bytes
    }

    /// Returns what a decoder reports for the frames of a recording.
    static func results(of name: String) throws -> [NavigationDecoder.Result] {
        var decoder = NavigationDecoder()
        var results: [NavigationDecoder.Result] = []
        try forEachFrame(of: name) { frame in decoder.push(frame) { results.append($0) } }
        return results
    }

    static func forEachFrame(of name: String, _ body: (borrowing UBXFrame) -> Void) throws {
        let bytes = try content("\(name).ubx.zst")
        let span = bytes.span
        var start = 0
        while start < span.count {
            guard span[start] == 0xB5, let frame = UBXFrame(span.extracting(start..<span.count))
            else {
                start += 1
                continue
            }
            body(frame)
            start += frame.payload.count + 8
        }
    }

    /// The ephemerides of a RINEX file.
    static func ephemerides(ofRINEX text: String) -> [Ephemeris] {
        var reader = RINEXNavigation()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.compactMap { reader.push(String($0)) } + [reader.finish()].compactMap(\.self)
    }
}
