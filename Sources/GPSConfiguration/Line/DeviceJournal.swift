// SPDX-License-Identifier: MIT
import GPSReceivers
import Synchronization

/// The journal of the device that a dialogue configures. Its functions read and write a file, so
/// they are called on a background thread.
final class DeviceJournal: Sendable {
    private struct State {
        var file: JournalFile?
        var interrupted: Result<ConfigurationJournal?, ConfigurationError>?
    }

    private let folder: JournalFolder
    private let device: String
    private let state = Mutex(State())

    init(in folder: JournalFolder, of device: String) {
        (self.folder, self.device) = (folder, device)
    }

    /// The stored journal of an interrupted change, if there is one; `nil` until `load()` is called.
    var interrupted: Result<ConfigurationJournal?, ConfigurationError>? {
        state.withLock { $0.interrupted }
    }

    /// Finds the file of the device and reads it.
    func load() {
        let file = folder.file(for: device)
        let interrupted = Result { () throws(ConfigurationError) in try file.load() }
        state.withLock { $0 = State(file: file, interrupted: interrupted) }
    }

    /// Replaces the file, or deletes it if `journal` is `nil`. Call `load()` first.
    func store(_ journal: ConfigurationJournal?) throws(DeviceError) {
        try state.withLock { $0.file }?.store(journal)
    }
}
