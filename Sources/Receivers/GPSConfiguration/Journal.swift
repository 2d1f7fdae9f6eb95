// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
package import GPSReceivers
import Glibc

/// The folder that contains journals and warm start data.
package struct JournalFolder: Sendable {
    private static let rootPath = "/var/lib/gpsbridge"

    /// The path of the folder, which does not have to exist.
    package let path: String

    /// Creates a folder at a path.
    package init(path: String) { self.path = path }

    /// The default folder: `STATE_DIRECTORY` for a service, otherwise `gpsbridge` in
    /// `XDG_STATE_HOME`, `/var/lib/gpsbridge` for root, or `gpsbridge` in `~/.local/state`. Without
    /// a home folder, it is root's folder, where writing fails.
    package static var `default`: JournalFolder {
        JournalFolder(path: StateFolder.path(ofRoot: rootPath) ?? rootPath)
    }

    /// Returns the folder for a server that root starts and that then runs as `user`, which cannot
    /// write to root's folder.
    package static func server(of user: String) -> JournalFolder {
        let folder = Self.default
        return folder.path == rootPath ? JournalFolder(path: "\(rootPath)-\(user)") : folder
    }

    /// Returns the journal file for the device at a tty. A USB device keeps its file if it returns
    /// as another tty. All links to the same tty share one file.
    ///
    /// Do not call this on the polling thread, because udev may have to query the device.
    package func file(for device: String) -> JournalFile {
        guard let found = DeviceDiscovery.device(at: device) else {
            return file(for: device, key: nil)
        }
        let hasTwin = DeviceDiscovery.devices().contains {
            $0.key == found.key && $0.path != found.path
        }
        return file(for: device, key: found.key, port: found.port, hasTwin: hasTwin)
    }

    /// Returns the journal file for the device with a key (`DiscoveredDevice.key`) at a USB port. A
    /// tty that does not belong to a USB device has no key, and is recognised by its name.
    ///
    /// Some converters all have the same serial number, such as 0001. If another device has the
    /// same key (`hasTwin`), the port distinguishes them, even after the other device was
    /// unplugged.
    package func file(
        for device: String, key: String?, port: String? = nil, hasTwin: Bool = false
    ) -> JournalFile {
        guard let key else { return file(DraftFile.target(of: device)) }
        if let port {
            let own = file("-\(key):\(port)")
            if hasTwin || RegularFile.contents(own.path) != nil { return own }
        }
        return file("-" + key)
    }

    private func file(_ name: String) -> JournalFile {
        let letters = name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        return JournalFile(path: "\(path)/configure\(String(letters)).toml")
    }
}

/// The file that contains the journal of a change in progress. It is used to restore the receiver
/// if the program ends, the receiver is unplugged or the power fails.
package struct JournalFile: Sendable {
    /// The path of the file.
    package let path: String

    /// Creates a file at a path, which does not have to exist.
    package init(path: String) { self.path = path }

    /// Returns the stored journal; `nil` if the file does not exist.
    ///
    /// - Throws: `ConfigurationError`, whose remedy names the file, if it is malformed.
    package func load() throws(ConfigurationError) -> ConfigurationJournal? {
        guard let bytes = RegularFile.contents(path) else { return nil }
        do {
            return try ConfigurationJournal(toml: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw ConfigurationError(error.code, error.reason, remedy: "delete \(path)")
        }
    }

    /// Replaces the file atomically; deletes it if `journal` is `nil`.
    ///
    /// - Throws: `DeviceError` with `.stateNotStored`. If the file could not be deleted, the next
    ///   start of the program undoes the completed change.
    package func store(_ journal: ConfigurationJournal?) throws(DeviceError) {
        if let journal { return try StateFile.write(journal.toml, to: path) }
        guard unlink(FileName.native(path)) != 0, errno != ENOENT else { return }
        let reason = String(cString: strerror(errno))
        throw DeviceError(
            .stateNotStored, device: path,
            detail: .reported(
                "it cannot be deleted: \(reason); delete it, or the next start undoes the change"))
    }
}
