// SPDX-License-Identifier: MIT
import Glibc

/// A folder of the file system.
package enum Folder {
    /// The names of its entries in no particular order; empty where it cannot be read.
    ///
    /// The corresponding C function is `readdir`.
    package static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { name in
                    String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }
}
