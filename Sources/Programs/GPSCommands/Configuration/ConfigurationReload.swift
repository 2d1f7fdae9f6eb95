// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import Synchronization

/// Rereads a command's configuration file while the command runs, and applies changes.
final class ConfigurationReload<C: Command>: Sendable {
    private let arguments: ServiceArguments
    private let file: String
    private let apply: @Sendable (C) async throws -> Void
    /// The values in effect, by key.
    private let running: Mutex<[String: TOMLValue]>

    /// Creates an object that rereads the configuration file of a command; `nil` if the command has
    /// none. `apply` is called when keys in `C.changeableKeys` have changed.
    init?(of command: C, apply: @escaping @Sendable (C) async throws -> Void = { _ in }) {
        guard let arguments = C.service.map({ command[keyPath: $0] }), let file = arguments.file
        else { return nil }
        self.arguments = arguments
        self.file = file
        self.apply = apply
        running = Mutex(arguments.configuration?.values ?? [:])
    }

    /// Rereads the file, applies changes that can take effect now, and prints the keys that need a
    /// restart.
    func perform() async {
        do {
            let new = try ConfigurationFile(file)
            let command = try ConfiguredCommand<C>(given: arguments.given, file: new).command()
            let overridden = Set(arguments.given.map(\.name))
            let changed = changedKeys(new.values).filter { !overridden.contains($0) }
            let own = C.changeableKeys
            if changed.contains(where: own.contains) { try await apply(command) }
            if let service = C.service { StandardError.level = command[keyPath: service].level }
            let applied = changed.filter { own.contains($0) || MessageLevel.keys.contains($0) }
            running.withLock { values in
                for key in applied { values[key] = new.values[key] }
            }
            report(applied, changed.filter { !applied.contains($0) })
        } catch let error as ConfigurationFileError {
            for line in error.lines { StandardError.print(line, limit: 0, level: .error) }
            StandardError.print("\(file) has errors: nothing was changed", limit: 0, level: .error)
        } catch {
            StandardError.print("\(error): nothing was changed", limit: 0, level: .error)
        }
    }

    private func changedKeys(_ new: [String: TOMLValue]) -> [String] {
        let old = running.withLock { $0 }
        return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    }

    private func report(_ applied: [String], _ waiting: [String]) {
        let isSame = applied.isEmpty && waiting.isEmpty
        let result =
            applied.isEmpty ? "" : ": changes of \(applied.joined(separator: ", ")) were applied"
        StandardError.print(
            "\(file) was read again\(isSame ? ": nothing has changed" : result)", limit: 0)
        guard !waiting.isEmpty else { return }
        StandardError.print(
            "warning: restart gpsbridge to apply the changes to \(waiting.joined(separator: ", "))",
            limit: 0,
            level: .warning)
    }
}

extension MessageLevel {
    /// The keys of the configuration file that select the level of messages.
    static let keys: Set<String> = ["quiet", "log-level"]
}

extension Command {
    /// Runs `work`, and rereads the configuration file at each SIGHUP. Without a file, SIGHUP calls
    /// `otherwise`. If that is `nil`, SIGHUP keeps its default action.
    package func reloading(
        _ apply: @escaping @Sendable (Self) async throws -> Void = { _ in },
        otherwise: (@Sendable () -> Void)? = nil,
        while work: @escaping @Sendable () async throws -> Void
    ) async throws {
        if let reload = ConfigurationReload(of: self, apply: apply) {
            try await Signals.reloading({ await reload.perform() }, while: work)
        } else if let otherwise {
            try await Signals.reloading(otherwise, while: work)
        } else {
            try await work()
        }
    }
}
