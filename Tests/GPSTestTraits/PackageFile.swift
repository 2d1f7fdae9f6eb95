// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The files of the package, such as its documentation.
package enum PackageFile {
    /// The folder of the package.
    package static let folder =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// The content of the file at a path in the package.
    package static func bytes(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen("\(folder)/\(path)", "re"), "\(path) is missing")
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&room, 1, room.count, file), count > 0 {
            bytes += room[..<count]
        }
        return bytes
    }

    /// The texts of a module's Swift files.
    package static func sources(of module: String) throws -> [String] {
        let folder = "\(folder)/Sources"
        return try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".swift") && $0.split(separator: "/")[1] == module }
            .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    }

    /// The text of the file at a path in the package.
    package static func text(_ path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }
}
