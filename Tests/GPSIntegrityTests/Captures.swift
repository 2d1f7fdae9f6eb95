// SPDX-License-Identifier: MIT
import Foundation
import GPSTestTraits
import GNSS
import GPSFiles
import GPSIntegrity
import NMEA

/// Recordings of real receivers, which are not part of this package. None contains an attack.
enum Captures {
    /// Their paths: NMEA, UBX, and an hour of UBX that is compressed.
    static let paths: [String] =
        files(named: "GPSBRIDGE_CORPUS", beside: "gpsd")
        + files(named: "GPSBRIDGE_UBX_CORPUS", beside: "ubx")

    /// An hour of a u-blox F9T at rest; `nil` if it is not available.
    static let hour = paths.first { $0.hasSuffix(".ubx.zst") }

    private static func files(named variable: String, beside name: String) -> [String] {
        let beside = URL(filePath: PackageFile.folder + "/../shared/corpus/\(name)")
            .standardizedFileURL
        let named = ProcessInfo.processInfo.environment[variable].map { URL(filePath: $0) }
        let folder = named ?? beside
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".log") || $0.hasSuffix(".ubx.zst") }.sorted()
            .map { folder.appending(path: $0).path }
    }

    /// The bytes that the receiver sent, without the comments at the start.
    static func bytes(_ path: String) throws -> [UInt8] {
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))[...]
        if path.hasSuffix(".zst") {
            var input = CompressedInput()
            var room = [UInt8](repeating: 0, count: 1 << 17)
            var result: [UInt8] = []
            input.push(bytes)
            input.end()
            while true {
                let count = try input.take(into: &room)
                guard count > 0 else { return result }
                result += room[..<count]
            }
        }
        while bytes.first == UInt8(ascii: "#"), let end = bytes.firstIndex(of: 0x0A) {
            bytes = bytes[(end + 1)...]
        }
        return Array(bytes)
    }

    /// Passes the fixes and satellites of a recording to a listener, in their order.
    static func decode(_ path: String, to listener: inout some DecoderListener) throws {
        var decoder = NMEADecoder()
        let bytes = try bytes(path)
        decoder.push(bytes.span, to: &listener)
        decoder.finish(to: &listener)
    }
}
