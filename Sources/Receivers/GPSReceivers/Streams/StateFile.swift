// SPDX-License-Identifier: MIT
import GPSIO

/// Writes files in the state folder.
package enum StateFile {
    /// Creates missing folders and replaces the file atomically.
    ///
    /// - Throws: `DeviceError` with `.stateNotStored`.
    package static func write(_ text: String, to path: String) throws(DeviceError) {
        if let end = path.lastIndex(of: "/") { StateFolder.create(String(path[..<end])) }
        do throws(DraftFile.Failure) {
            try DraftFile.replace(path, with: Array(text.utf8), mode: 0o600)
        } catch {
            throw DeviceError(.stateNotStored, device: path, errno: error.errno)
        }
    }
}
