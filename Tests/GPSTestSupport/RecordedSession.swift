// SPDX-License-Identifier: MIT
import Foundation
import GPSTestTraits
import Testing

/// Recorded requests and answers of a real receiver, which are not part of this package.
package struct RecordedSession: Sendable, CustomTestStringConvertible {
    /// A line of the recording.
    package struct Line: Sendable {
        /// Seconds of the day.
        package var seconds: Double
        package var bytes: [UInt8]
        package var isRequest: Bool
        /// The protocol, and the name of the message; empty for noise.
        package var tag: String
        package var message: String
        /// The baud rate that the program sets afterwards.
        package var rate: Int?
    }

    package let name: String
    /// The runs, a few seconds apart.
    package let runs: [[Line]]

    package var testDescription: String { name }

    /// The recordings in the folder that the environment names, or beside the package.
    package static let all: [RecordedSession] = {
        let beside = URL(filePath: PackageFile.folder + "/../shared/corpus/sessions")
            .standardizedFileURL
        let named = ProcessInfo.processInfo.environment["GPSBRIDGE_SESSIONS"]
        let folder = named.map { URL(filePath: $0) } ?? beside
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".jsonl") }.sorted().compactMap {
            try? RecordedSession(folder.appending(path: $0))
        }
    }()

    private init(_ url: URL) throws {
        name = url.deletingPathExtension().lastPathComponent
        var runs: [[Line]] = [[]]
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            guard let values = object as? [String: Any] else { continue }
            // A line without bytes ends a run.
            guard
                let bytes = (values["ascii"] as? String).map({ Array($0.utf8) })
                    ?? (values["bin"] as? String).map(Self.bytes)
            else {
                runs.append([])
                continue
            }
            runs[runs.count - 1].append(
                Line(
                    seconds: Self.seconds(values["t"] as? String ?? ""), bytes: bytes,
                    isRequest: values["out"] as? Bool ?? false,
                    tag: values["tag"] as? String ?? "", message: values["msg"] as? String ?? "",
                    rate: values["speed"] as? Int))
        }
        self.runs = runs.filter { !$0.isEmpty }
    }

    /// Returns the seconds of the day for `2026-06-15T06:07:52.055958Z`.
    private static func seconds(_ time: String) -> Double {
        let parts = time.dropFirst(11).dropLast().split(separator: ":").compactMap { Double($0) }
        return parts.reduce(0) { $0 * 60 + $1 }
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }
}
