// SPDX-License-Identifier: MIT
import Foundation

/// Recorded commands and answers of real receivers, which are not part of this package.
enum RecordedSession {
    /// A line of a recording.
    struct Line {
        var isRequest: Bool
        var bytes: [UInt8]
        /// The protocol, and the name of the message; empty for noise.
        var tag: String
        var message: String
        /// The rate to which the program changed afterwards.
        var rate: Int?
        /// Seconds of the day.
        var seconds: Double
    }

    /// The folder, from the environment or beside the package.
    private static let folder: URL = {
        let beside = URL(filePath: PackageFile.folder + "/../shared/corpus/sessions")
            .standardizedFileURL
        let named = ProcessInfo.processInfo.environment["GPSBRIDGE_SESSIONS"]
        return named.map { URL(filePath: $0) } ?? beside
    }()

    /// Whether there are recordings.
    static let isPresent = FileManager.default.fileExists(atPath: folder.path)

    /// The names of all recordings.
    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".jsonl") }.map { String($0.dropLast(6)) }.sorted()
    }()

    /// The runs of a recording; a line without bytes ends a run.
    static func runs(_ name: String) throws -> [[Line]] {
        let text = try String(
            contentsOf: folder.appending(path: "\(name).jsonl"), encoding: .utf8)
        var runs: [[Line]] = [[]]
        for line in text.split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            guard let values = object as? [String: Any] else { continue }
            let binary = (values["bin"] as? String).map(Self.bytes)
            guard let bytes = binary ?? (values["ascii"] as? String).map({ Array($0.utf8) }) else {
                if runs.last?.isEmpty == false { runs.append([]) }
                continue
            }
            runs[runs.count - 1].append(
                Line(
                    isRequest: values["out"] as? Bool ?? false, bytes: bytes,
                    tag: values["tag"] as? String ?? "", message: values["msg"] as? String ?? "",
                    rate: values["speed"] as? Int,
                    seconds: Self.seconds(values["t"] as? String ?? "")))
        }
        return runs.filter { !$0.isEmpty }
    }

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
