// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import Synchronization

/// Stores the line settings at which each receiver last sent messages, so that its baud rate does
/// not have to be searched for again.
///
/// The settings are stored in a small file. If the file is missing, damaged or read-only, the
/// settings are kept only in this process. Each line of the file contains the baud rate, the data
/// bits and the receiver's key.
package final class RateMemory: Sendable {
    /// The memory whose file is in the state folder of the user or the service.
    package static let shared = RateMemory(folder: StateFolder.path())

    /// The maximum number of receivers. When there are more, the oldest entry is removed.
    fileprivate static let capacity = 256

    fileprivate struct Entry: Equatable {
        let key: String
        let settings: LineSettings
    }

    fileprivate struct State {
        /// The entries, oldest first.
        var entries: [Entry] = []
        var isLoaded = false
        /// Whether a save has been scheduled. It will also write entries added before it runs.
        var isSavePending = false
    }

    private let folder: String?
    private let state = Mutex(State())
    /// A lock that is held while the file is written. `state` is not locked then, so lookups do not
    /// wait for the write.
    private let saving = Mutex(())

    /// Stores settings in the file `rates` in `folder`, or only in memory if `folder` is `nil`.
    package init(folder: String?) {
        self.folder = folder
    }

    /// Returns the settings at which a receiver last sent messages; `nil` if none are stored. The
    /// first call reads the file, so do not call this on the polling thread.
    package func settings(of key: String) -> LineSettings? {
        if let folder, !state.withLock(\.isLoaded) {
            let found = Self.read(folder + "/rates")
            state.withLock { _ = $0.merge(found) }
        }
        return state.withLock { state in state.entries.last { $0.key == key }?.settings }
    }

    /// Stores the settings of a receiver and returns immediately. The file is written in the
    /// background.
    package func remember(_ settings: LineSettings, of key: String) {
        let mustSave = state.withLock { state in
            let entry = Entry(key: key, settings: settings)
            guard !key.contains("\n"), !state.entries.contains(entry) else { return false }
            state.add(entry)
            return !exchange(&state.isSavePending, with: true)
        }
        // A home folder may be on a slow network, and the polling thread must not wait for it.
        if mustSave, folder != nil {
            Task(executorPreference: BackgroundExecutor.shared) { self.save(ifPending: true) }
        }
    }

    /// Writes the file now. If `ifPending` is `true`, writes only if settings have been added since
    /// the last write.
    package func save(ifPending: Bool = false) {
        guard let folder else { return }
        saving.withLock { _ in
            guard !ifPending || state.withLock({ $0.isSavePending }) else { return }
            // Other processes may have written the file; this process's settings are newer.
            let found = Self.read(folder + "/rates")
            let text = state.withLock { state -> String? in
                state.isSavePending = false
                return state.merge(found) ? state.entries.map(\.line).joined() : nil
            }
            // If this fails, the settings are kept only in this process.
            if let text { try? StateFile.write(text, to: folder + "/rates") }
        }
    }

    // MARK: The file

    private static func read(_ path: String) -> [Entry] {
        guard let bytes = RegularFile.contents(path) else { return [] }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return lines.compactMap { Entry(line: $0) }.suffix(capacity)
    }
}

extension RateMemory.State {
    /// Replaces the entries with those of the file and adds this process's own. Returns whether the
    /// file lacks one of the entries.
    fileprivate mutating func merge(_ found: [RateMemory.Entry]) -> Bool {
        let own = entries.filter { !found.contains($0) }
        entries = found
        for entry in own { add(entry) }
        isLoaded = true
        return !own.isEmpty
    }

    fileprivate mutating func add(_ entry: RateMemory.Entry) {
        entries.removeAll { $0.key == entry.key }
        entries.append(entry)
        entries.removeFirst(max(0, entries.count - RateMemory.capacity))
    }
}

extension RateMemory.Entry {
    fileprivate init?(line: Substring) {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count == 3, let baudRate = Int(words[0]).flatMap({ BaudRate(rawValue: $0) })
        else { return nil }
        key = String(words[2])
        settings = LineSettings(baudRate, words[1] == "7" ? .sevenN2 : .eightN1)
    }

    fileprivate var line: String {
        "\(settings.baudRate) \(settings.format == .sevenN2 ? "7" : "8") \(key)\n"
    }
}
