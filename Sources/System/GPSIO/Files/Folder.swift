// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// Functions for directories.
package enum Folder {
    /// Returns `true` if a folder exists at the path, or if the path ends with a slash, which is
    /// valid only for a folder.
    package static func exists(_ path: String) -> Bool {
        path.hasSuffix("/") || Node(path).isFolder
    }

    /// Returns why no file can be created at a path, or why the existing file cannot be written: the
    /// `errno`; 0 if nothing prevents it.
    ///
    /// The corresponding C function is `access`.
    package static func writeError(at path: String) -> CInt {
        if access(FileName.native(path), W_OK) == 0 { return 0 }
        if errno != ENOENT { return errno }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        return access(FileName.native(folder), W_OK | X_OK) == 0 ? 0 : errno
    }

    /// Returns the names of a folder's entries in no particular order, or an empty array if it
    /// cannot be read.
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
