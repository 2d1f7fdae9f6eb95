// SPDX-License-Identifier: MIT
import Foundation
import GPSTestTraits
import UBX

/// Recordings of u-blox receivers, which are not part of this package.
enum Recordings {
    /// Their paths, from the environment or next to the package; empty if there are none.
    static let paths: [String] = {
        let beside = URL(filePath: PackageFile.folder + "/../shared/corpus/ubx").standardizedFileURL
        let named = ProcessInfo.processInfo.environment["GPSBRIDGE_UBX_CORPUS"]
        let folder = named.map { URL(filePath: $0) } ?? beside
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".log") }.sorted()
            .map { folder.appending(path: $0).path }
    }()

    /// Calls `body` for each frame of a recording, and returns the number of frames.
    static func forEachFrame(
        of path: String, _ body: (borrowing UBXFrame) throws -> Void
    ) throws -> Int {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let span = bytes.span
        var (start, count) = (0, 0)
        while start < span.count {
            guard span[start] == 0xB5, let frame = UBXFrame(span.extracting(start..<span.count))
            else {
                start += 1
                continue
            }
            try body(frame)
            count += 1
            start += frame.payload.count + 8
        }
        return count
    }
}
