// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// A file with a password, a key or credentials. Only its owner may read it.
package struct SecretFile: Hashable, Sendable {
    /// The path of the file.
    package let path: String

    /// Creates a reference to a file after checking its permissions.
    ///
    /// Throws an error if the file is missing, if it belongs neither to this user nor to root, or
    /// if users other than its owner have any permission.
    package init(_ path: String) throws(FleetError) {
        var status = stat()
        guard stat(FileName.native(path), &status) == 0 else {
            throw FleetError("cannot read \(path): \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FleetError("not a file: \(path)") }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw FleetError(
                "\(path) can be read by others (mode \(mode)): run `chmod 600 \(path)`")
        }
        guard [0, geteuid()].contains(status.st_uid) else {
            throw FleetError("\(path) belongs to another user")
        }
        self.path = path
    }

    /// Returns the first line.
    ///
    /// Throws an error if the file cannot be read or the line is empty.
    package func firstLine() throws(FleetError) -> String {
        guard let line = try lines().first, !line.isEmpty else {
            throw FleetError("the first line of \(path) is empty")
        }
        return line
    }

    /// Returns the first 100 lines, without line ends. A line of more than 4095 bytes is split.
    ///
    /// Throws an error if the file cannot be read.
    func lines() throws(FleetError) -> [String] {
        guard let file = fopen(FileName.native(path), "re") else {
            throw FleetError("cannot read \(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var lines: [String] = []
        var line = [CChar](repeating: 0, count: 4096)
        while lines.count < 100, fgets(&line, CInt(line.count), file) != nil {
            let bytes = line.prefix { $0 != 0 && $0 != 10 && $0 != 13 }
            lines.append(String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        return lines
    }
}
