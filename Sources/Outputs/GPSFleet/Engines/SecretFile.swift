// SPDX-License-Identifier: MIT
import GPSIO

/// A file with a password, a key or credentials. Only its owner may read it.
package struct SecretFile: Hashable, Sendable {
    /// The maximum size of the file in bytes.
    private static let limit = 65_536

    /// The path of the file.
    package let path: String

    /// Creates a reference to a file after checking its permissions.
    ///
    /// Throws an error if the file is missing, if it belongs neither to this user nor to root, or
    /// if users other than its owner have any permission.
    package init(_ path: String) throws(FleetError) {
        if let refusal = RegularFile.secretRefusal(path) { throw FleetError(refusal) }
        self.path = path
    }

    /// Returns the first line.
    ///
    /// Throws an error if the file cannot be read or the line is empty.
    package func firstLine() throws(FleetError) -> String {
        guard let line = try lines().first, !line.isEmpty else {
            throw FleetError("the first line of \(path) is empty: write the secret there")
        }
        return line
    }

    /// Returns the lines, without line ends.
    ///
    /// Throws an error if the file cannot be read or is larger than 64 KiB.
    func lines() throws(FleetError) -> [String] {
        let bytes: [UInt8]
        do {
            bytes = try RegularFile.bytes(of: path, limit: Self.limit)
        } catch {
            throw FleetError("cannot read \(path): \(error)")
        }
        return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(decoding: $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0, as: UTF8.self)
        }
    }
}
