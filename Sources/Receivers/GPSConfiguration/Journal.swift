// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
package import GPSReceivers
import Glibc
import Synchronization

/// The folder that contains journals and warm start data.
package struct JournalFolder: Sendable {
    private static let rootPath = "/var/lib/gpsbridge"

    /// The path of the folder, which does not have to exist.
    package let path: String

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

/// The journal of the device that a dialogue configures. Its functions read and write a file, and
/// ask udev, so they are called on a background thread.
final class DeviceJournal: Sendable {
    private struct State {
        var file: JournalFile?
        var interrupted: Result<ConfigurationJournal?, ConfigurationError>?
        /// The key of the USB device (`DiscoveredDevice.key`); `nil` if it is not known.
        var key: String?
        var isReplaced = false
    }

    private let folder: JournalFolder
    private let device: String
    private let identify: @Sendable (String) -> String?
    private let state = Mutex(State())

    /// Creates the journal of the device at a path. `identify` returns the key of the USB device at
    /// a path; `nil` if it is not known.
    init(
        in folder: JournalFolder, of device: String,
        identify: @escaping @Sendable (String) -> String?
    ) {
        (self.folder, self.device, self.identify) = (folder, device, identify)
    }

    /// The result of reading the file: the journal of an interrupted change, or `nil` if there is
    /// none. The property itself is `nil` until `load()` has been called.
    var interrupted: Result<ConfigurationJournal?, ConfigurationError>? {
        state.withLock { $0.interrupted }
    }

    /// The path of the file; `nil` until `load()` is called.
    var path: String? { state.withLock { $0.file?.path } }

    /// Whether `compare(_:)` found another USB device.
    var isReplaced: Bool { state.withLock { $0.isReplaced } }

    /// Finds the file of the device and reads it.
    func load() {
        let file = folder.file(for: device)
        let interrupted = Result { () throws(ConfigurationError) in try file.load() }
        let key = identify(device)
        state.withLock { $0 = State(file: file, interrupted: interrupted, key: key) }
    }

    /// Determines whether the device at this path, which was opened again, is another USB device
    /// than before. Call `load()` first.
    func compare(_ device: String) {
        guard let new = identify(device) else { return }
        state.withLock { $0.isReplaced = $0.key.map { $0 != new } ?? false }
    }

    /// Replaces the file, or deletes it if `journal` is `nil`. Call `load()` first.
    func store(_ journal: ConfigurationJournal?) throws(DeviceError) {
        try state.withLock { $0.file }?.store(journal)
    }
}

/// The requests that restore a receiver's previous settings. If a change is interrupted by a crash,
/// an unplugged cable or a power failure, the next start of the program sends them.
///
/// The requests are idempotent: each may be sent twice, or to a receiver that has already lost the
/// changes because it was switched off.
package struct ConfigurationJournal: Hashable, Sendable {
    /// A request that undoes a step.
    struct Undo: Hashable, Sendable {
        var bytes: [UInt8]
        /// The baud rate that the request sets; `nil` if it does not change the baud rate.
        var baudRate: Int?
    }

    /// The description of the receiver to restore. Other receivers are not changed.
    var receiver: String
    /// The baud rates that the receiver may have now, the most likely first.
    var baudRates: [Int]
    /// The requests, in sending order.
    var undo: [Undo] = []

    init(receiver: String, baudRates: [Int]) {
        (self.receiver, self.baudRates) = (receiver, baudRates)
    }

    /// Parses a journal file.
    ///
    /// - Throws: `ConfigurationError` with `.malformedFile`.
    package init(toml text: String) throws(ConfigurationError) {
        let document = try TOMLDocument(settings: text)
        func entry(_ key: String) throws(ConfigurationError) -> TOMLDocument.Entry {
            guard let entry = document[key] else {
                throw ConfigurationError(.malformedFile, "the journal has no '\(key)'")
            }
            return entry
        }
        func integers(_ key: String) throws(ConfigurationError) -> [Int] {
            let entry = try entry(key)
            guard case .array(let values) = entry.value else {
                throw ConfigurationError("expected numbers in brackets", at: entry)
            }
            return values.compactMap { if case .integer(let number) = $0 { number } else { nil } }
        }
        let names = try entry("receiver")
        let requests = try entry("undo")
        let rates = try integers("undo-rates")
        do throws(TOMLMismatch) {
            receiver = try names.value.string("a name")
            let texts = try requests.value.strings("hexadecimal digits")
            for (index, text) in texts.enumerated() {
                guard let bytes = DescribedMessage.bytes(text), rates.indices.contains(index) else {
                    throw TOMLMismatch("expected hexadecimal digits, and a rate for each")
                }
                undo.append(Undo(bytes: bytes, baudRate: rates[index] == 0 ? nil : rates[index]))
            }
        } catch {
            throw ConfigurationError(error.reason, at: requests)
        }
        baudRates = try integers("rates").filter { $0 > 0 }
    }

    /// The journal as a TOML file.
    package var toml: String {
        var document = TOMLDocument()
        document.add("receiver", .string(receiver))
        document.add("rates", .array(baudRates.map { .integer($0) }))
        let requests = undo.map { $0.bytes.map { TextLine.hexadecimal($0) }.joined() }
        document.add("undo", .array(requests.map { .string($0) }))
        document.add("undo-rates", .array(undo.map { .integer($0.baudRate ?? 0) }))
        return document.text
    }
}
