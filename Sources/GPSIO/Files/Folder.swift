// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// A folder of the file system.
package enum Folder {
    /// Returns whether a path leads to a folder, or its form only fits a folder.
    package static func isThere(_ path: String) -> Bool {
        path.hasSuffix("/") || Node(path).isFolder
    }

    /// Returns the names of a folder's entries, unordered; empty if it cannot be read.
    ///
    /// The corresponding C function is `readdir`.
    package static func names(in path: String) -> [String] {
        guard let directory = opendir(FileName.native(path)) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { name in
                    FileName.string(name.prefix { $0 != 0 })
                })
        }
        return names
    }
}
