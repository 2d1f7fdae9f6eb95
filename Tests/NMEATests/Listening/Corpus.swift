// SPDX-License-Identifier: MIT
import Foundation

/// Recordings of real receivers, which are not part of this package.
enum Corpus {
    /// Their folder, from the environment or beside the package; `nil` if there is none.
    static let folder: URL? = {
        let beside = URL(filePath: PackageFile.folder + "/../shared/corpus/gpsd")
            .standardizedFileURL
        let named = ProcessInfo.processInfo.environment["GPSBRIDGE_CORPUS"]
        let folder = named.map { URL(filePath: $0) } ?? beside
        var isFolder = false
        if let values = try? folder.resourceValues(forKeys: [.isDirectoryKey]) {
            isFolder = values.isDirectory ?? false
        }
        return isFolder ? folder : nil
    }()

    /// The names of the recordings.
    static let names: [String] = {
        guard let folder,
            let all = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        else { return [] }
        return all.filter { $0.hasSuffix(".log") }.sorted()
    }()

    /// The bytes that the receiver sent: the file without its comment lines.
    static func bytes(_ name: String) throws -> [UInt8] {
        guard let folder else { return [] }
        let file = [UInt8](try Data(contentsOf: folder.appending(path: name)))
        let lines = file.split(separator: 0x0A, omittingEmptySubsequences: false)
        return Array(lines.filter { $0.first != UInt8(ascii: "#") }.joined(separator: [0x0A]))
    }
}
