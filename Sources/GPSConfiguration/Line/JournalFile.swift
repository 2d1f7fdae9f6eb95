// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Glibc

/// The folder of journals.
package struct JournalFolder: Sendable {
    /// The path of the folder, which need not exist.
    package let path: String

    /// Creates a folder at a path.
    package init(path: String) { self.path = path }

    /// `STATE_DIRECTORY` of a service, `/var/lib/gpsbridge` for root, else `gpsbridge` in
    /// `XDG_STATE_HOME` or `~/.local/state`.
    package static var `default`: JournalFolder {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        if let folder = variable("STATE_DIRECTORY") { return JournalFolder(path: folder) }
        if let folder = variable("XDG_STATE_HOME") {
            return JournalFolder(path: folder + "/gpsbridge")
        }
        if geteuid() == 0 { return JournalFolder(path: "/var/lib/gpsbridge") }
        return JournalFolder(path: (variable("HOME") ?? "/tmp") + "/.local/state/gpsbridge")
    }

    /// Returns the file of the receiver at a tty, whatever links lead there.
    package func file(for device: String) -> JournalFile {
        let tty = DraftFile.target(of: device)
        let name = String(tty.map { $0.isLetter || $0.isNumber ? $0 : "-" })
        return JournalFile(path: "\(path)/configure\(name).toml")
    }
}

/// The file with the journal of a change that is under way: what restores the receiver if the
/// program ends, the receiver is unplugged, or the power fails.
package struct JournalFile: Sendable {
    /// The path of the file.
    package let path: String

    /// Creates a file at a path, whether it exists or not.
    package init(path: String) { self.path = path }

    /// The stored journal; `nil` if there is none.
    ///
    /// - Throws: `ConfigurationError` for a file that is damaged.
    package func load() throws(ConfigurationError) -> ConfigurationJournal? {
        guard let bytes = RegularFile.contents(path) else { return nil }
        return try ConfigurationJournal(toml: String(decoding: bytes, as: UTF8.self))
    }

    /// Writes a journal, complete or not at all; removes the file for `nil`.
    func store(_ journal: ConfigurationJournal?) throws(DeviceError) {
        guard let journal else {
            unlink(FileName.native(path))
            return
        }
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        makeFolders(folder)
        do throws(DraftFile.Failure) {
            let draft = try DraftFile(replacing: path, mode: 0o600)
            try draft.write(Array(journal.toml.utf8))
            try draft.commit()
        } catch {
            throw DeviceError(.ioFailed, device: path, errno: error.errno)
        }
    }

    private func makeFolders(_ folder: String) {
        var made = ""
        for part in folder.split(separator: "/") {
            made += "/" + part
            mkdir(FileName.native(made), 0o700)
        }
    }
}
