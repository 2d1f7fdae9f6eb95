// SPDX-License-Identifier: MIT
import GPSReceivers
import Synchronization

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
