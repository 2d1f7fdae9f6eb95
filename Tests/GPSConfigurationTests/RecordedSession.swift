// SPDX-License-Identifier: MIT
import Foundation
import GPSTestTraits
import Testing

/// A recorded session of a real receiver, which is not part of this package.
struct RecordedSession: CustomTestStringConvertible {
    /// A line of the recording.
    struct Line {
        var milliseconds: Double
        var bytes: [UInt8]
        var isRequest: Bool
        /// The rate that the host sets afterwards.
        var speed: Int?
    }

    let name: String
    /// The runs, a few seconds apart.
    var runs: [[Line]]

    var testDescription: String { name }

    /// The available recordings, in the folder that the environment names or beside the package.
    static let all: [RecordedSession] = {
        let beside = URL(filePath: PackageFile.folder + "/../shared/corpus/sessions")
            .standardizedFileURL
        let named = ProcessInfo.processInfo.environment["GPSBRIDGE_SESSION_CORPUS"]
        let folder = named.map { URL(filePath: $0) } ?? beside
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".jsonl") }.sorted().compactMap {
            try? RecordedSession(folder.appending(path: $0))
        }
    }()

    private init(_ url: URL) throws {
        name = url.deletingPathExtension().lastPathComponent
        runs = [[]]
        let text = try String(contentsOf: url, encoding: .utf8)
        for line in text.split(separator: "\n") {
            guard
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                    as? [String: Any]
            else { continue }
            guard object["type"] == nil else {
                if runs.last?.isEmpty == false { runs.append([]) }
                continue
            }
            let bytes =
                (object["ascii"] as? String).map { Array($0.utf8) }
                ?? (object["bin"] as? String).map(Self.bytes) ?? []
            runs[runs.count - 1].append(
                Line(
                    milliseconds: Self.milliseconds(object["t"] as? String ?? ""), bytes: bytes,
                    isRequest: object["out"] as? Bool ?? false, speed: object["speed"] as? Int))
        }
        runs.removeAll { $0.isEmpty }
    }

    private static func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
    }

    /// Returns the milliseconds of the day for `2026-06-15T06:07:52.055958Z`.
    private static func milliseconds(_ time: String) -> Double {
        let parts = time.dropLast().split(separator: "T").last?.split(separator: ":") ?? []
        guard parts.count == 3, let hours = Double(parts[0]), let minutes = Double(parts[1]),
            let seconds = Double(parts[2])
        else { return 0 }
        return ((hours * 60 + minutes) * 60 + seconds) * 1000
    }

    /// The requests, and the bytes between each and the next one, with their delays.
    static func exchanges(
        _ run: [Line]
    ) -> [(request: Line, answers: [(delay: Int, bytes: [UInt8])])] {
        var exchanges: [(request: Line, answers: [(delay: Int, bytes: [UInt8])])] = []
        for line in run {
            if line.isRequest {
                exchanges.append((line, []))
            } else if let request = exchanges.last?.request {
                let delay = Int(max(line.milliseconds - request.milliseconds, 0))
                exchanges[exchanges.count - 1].answers.append((delay, line.bytes))
            }
        }
        return exchanges
    }
}
