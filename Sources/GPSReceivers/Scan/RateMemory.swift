// SPDX-License-Identifier: MIT
import GPSIO
import Glibc
import Synchronization

/// Remembers the settings at which each receiver last sent messages, so that its rate need not be
/// searched for again.
///
/// The settings are stored in a small file. If it is missing, damaged or read-only, only this
/// process remembers them. Each line has the rate, the data bits and the receiver's key.
package final class RateMemory: Sendable {
    /// The memory in the user's or the service's state folder.
    package static let shared = RateMemory(folder: defaultFolder)

    /// The maximum number of receivers; the one stored longest ago is removed first.
    fileprivate static let capacity = 256

    fileprivate struct Entry: Equatable {
        let key: String
        let settings: LineSettings
    }

    fileprivate struct State {
        /// Oldest first.
        var entries: [Entry] = []
        var isLoaded = false
        /// Whether a save has been scheduled: it includes everything added before it runs.
        var isSavePending = false
    }

    private let folder: String?
    private let state = Mutex(State())
    /// Held while the file is written, so that lookups never wait for the disk.
    private let saving = Mutex(())

    /// Stores settings in the file `rates` in `folder`, or only in memory if `folder` is `nil`.
    package init(folder: String?) {
        self.folder = folder
    }

    /// Returns the settings at which a receiver last sent messages. May read the file: do not call
    /// it on the polling thread.
    package func settings(of key: String) -> LineSettings? {
        if let folder, !state.withLock(\.isLoaded) {
            let found = Self.read(folder + "/rates")
            state.withLock { _ = $0.merge(found) }
        }
        return state.withLock { state in state.entries.last { $0.key == key }?.settings }
    }

    /// Stores settings and returns at once; the file is read and written in the background.
    package func remember(_ settings: LineSettings, of key: String) {
        let mustSave = state.withLock { state in
            let entry = Entry(key: key, settings: settings)
            guard !key.contains("\n"), !state.entries.contains(entry) else { return false }
            state.add(entry)
            defer { state.isSavePending = true }
            return !state.isSavePending
        }
        // A home folder may be on a slow network, and the polling thread must not wait for it.
        if mustSave, folder != nil {
            Task(executorPreference: BackgroundExecutor.shared) { self.save(ifPending: true) }
        }
    }

    /// Writes the file now.
    package func save() {
        save(ifPending: false)
    }

    /// Writes the file; with `ifPending`, only if settings have been added since the last write.
    package func save(ifPending: Bool) {
        guard let folder else { return }
        saving.withLock { _ in
            guard !ifPending || state.withLock(\.isSavePending) else { return }
            // Other processes may have written the file; this process's settings are newer.
            let found = Self.read(folder + "/rates")
            let text = state.withLock { state -> String? in
                state.isSavePending = false
                return state.merge(found) ? state.entries.map(\.line).joined() : nil
            }
            if let text { Self.write(text, folder) }
        }
    }

    // MARK: The file

    private static var defaultFolder: String? {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        // Set by systemd for a service; may list several folders, separated by colons.
        if let own = variable("STATE_DIRECTORY")?.split(separator: ":").first { return String(own) }
        if let state = variable("XDG_STATE_HOME") { return state + "/gpsbridge" }
        return variable("HOME").map { $0 + "/.local/state/gpsbridge" }
    }

    private static func read(_ path: String) -> [Entry] {
        let fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard fd >= 0 else { return [] }
        defer { close(fd) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(fd, &bytes, bytes.count)
        guard count > 0 else { return [] }
        let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
        return lines.compactMap { Entry(line: $0) }.suffix(capacity)
    }

    private static func write(_ text: String, _ folder: String) {
        var path = ""
        for name in folder.split(separator: "/") {
            path += "/" + name
            mkdir(path, 0o700)
        }
        do {
            let file = try DraftFile(replacing: folder + "/rates", mode: 0o600)
            try file.write(Array(text.utf8))
            try file.commit()
        } catch {
            // Without the file, this process alone remembers.
        }
    }
}

extension RateMemory.State {
    /// Replaces the entries with those of the file plus this process's own; returns whether the
    /// file lacks one.
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
