// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// A folder of the file system.
package enum Folder {
    /// Whether a path leads to a folder, or can lead to nothing else.
    package static func isThere(_ path: String) -> Bool {
        path.hasSuffix("/") || Node(path).isFolder
    }

    /// The names of its entries in no particular order; empty where it cannot be read.
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
