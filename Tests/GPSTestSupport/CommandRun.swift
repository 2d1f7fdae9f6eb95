// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Glibc
import Synchronization
package import Testing

/// A process of `gpsbridge`, started with arguments.
package final class CommandRun: Sendable {
    private let process: pid_t
    private let output: Lines
    private let errors: Lines
    private let ends: Mutex<[CInt]>
    private let reaper = Witness<CInt>()

    package static let executable = beside("gpsbridge")

    /// The path of a product, which is in the folder of the program that runs the tests.
    package static func beside(_ name: String) -> String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let bytes = path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        let own = String(decoding: bytes, as: UTF8.self)
        return own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/\(name)"
    }

    /// Starts `gpsbridge` or another program with empty standard input, or a file.
    package init(
        _ executable: String = CommandRun.executable, words: [String], input: String = "/dev/null",
        closed: [CInt] = []
    ) async throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        let (readOutput, writeOutput) = try Self.pipe()
        let (readErrors, writeErrors) = try Self.pipe()
        posix_spawn_file_actions_adddup2(&actions, writeOutput, 1)
        posix_spawn_file_actions_adddup2(&actions, writeErrors, 2)
        for descriptor in closed { posix_spawn_file_actions_addclose(&actions, descriptor) }
        // The signal mask of the current thread is not inherited: a program with blocked signals could
        // not be ended.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        posix_spawnattr_setsigmask(&attributes, &none)
        // Some of these are ignored if the tests run in a shell's background or by nohup.
        var ending = sigset_t()
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] { sigaddset(&ending, signal) }
        posix_spawnattr_setsigdefault(&attributes, &ending)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] =
            ([executable] + words).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var id: pid_t = 0
        let status = posix_spawn(&id, executable, &actions, &attributes, &arguments, environ)
        close(writeOutput)
        close(writeErrors)
        try #require(status == 0, "\(executable) cannot be started")
        process = id
        Self.reap(id, reaper)
        ends = Mutex([readOutput, readErrors])
        output = Lines(try await StandardInputSource(descriptor: readOutput).open())
        errors = Lines(try await StandardInputSource(descriptor: readErrors).open())
    }

    /// Starts `gpsbridge` with additional environment variables, such as `COLUMNS=80`.
    package convenience init(variables: [String], words: [String]) async throws {
        try await self.init("/usr/bin/env", words: variables + [CommandRun.executable] + words)
    }

    /// Starts `gpsbridge` with the devices that a file describes, by umockdev.
    package convenience init(devices path: String, words: [String]) async throws {
        try await self.init(
            "/usr/bin/umockdev-run", words: ["-d", path, "--", CommandRun.executable] + words)
    }

    deinit {
        if reaper.all.isEmpty { kill(process, SIGKILL) }
        closeEnds()
    }

    private func closeEnds() {
        // Before the numbers are free: another test's descriptor may reuse them.
        output.close()
        errors.close()
        ends.withLock { ends in
            for end in ends { close(end) }
            ends = []
        }
    }

    private static func pipe() throws -> (read: CInt, write: CInt) {
        var ends: [CInt] = [0, 0]
        // Sockets, which other tests' processes never inherit.
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    /// The next line of standard output; `nil` at the end.
    package func line() async throws -> String? {
        try await output.next()
    }

    /// The next line of standard output that contains a text.
    package func line(with text: String) async throws -> String? {
        while let line = try await line() {
            if line.contains(text) { return line }
        }
        return nil
    }

    /// The rest of standard output, line by line.
    package func lines() async throws -> [String] {
        var lines: [String] = []
        while let line = try await line() { lines.append(line) }
        return lines
    }

    /// The next line of standard error; `nil` at the end.
    package func message() async throws -> String? {
        while let message = try await errors.next() {
            // Printed if a busy machine delays the test itself.
            let late = ["no data from", "no valid data from", "trying /", "sends at 9600 baud"]
            if !late.contains(where: message.contains) { return message }
        }
        return nil
    }

    /// The next line of standard error that contains a text.
    package func message(with text: String) async throws -> String? {
        while let message = try await errors.next() {
            if message.contains(text) { return message }
        }
        return nil
    }

    /// The rest of standard error, up to its end.
    package func messages() async throws -> [String] {
        var messages: [String] = []
        while let message = try await message() { messages.append(message) }
        return messages
    }

    /// Waits until the process has a file open; records an issue if it ends before.
    package func waitUntilOpen(_ path: String) async {
        await wait(until: "it has \(path) open") { hasOpen(path) }
    }

    /// Waits until the process reads a receiver, or has ended.
    package func waitUntilReading(_ receiver: ScriptedReceiver) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await receiver.waitForReader() }
            group.addTask { _ = await self.reaper.first(1) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Polls every few milliseconds, because the system does not report this, until
    /// cancellation or the end of the process.
    private func wait(until name: String, _ condition: () -> Bool) async {
        while !condition() {
            guard reaper.all.isEmpty else {
                Issue.record("the process has ended before \(name)")
                return
            }
            guard await Poller.shared.sleep(until: .now + .milliseconds(5)) == .timedOut else {
                return
            }
        }
    }

    private func hasOpen(_ path: String) -> Bool {
        (3..<32).contains { descriptor in
            var target = [CChar](repeating: 0, count: 4096)
            let count = readlink("/proc/\(process)/fd/\(descriptor)", &target, 4095)
            return count == path.utf8.count
                && target.prefix(count).elementsEqual(path.utf8.map { CChar(bitPattern: $0) })
        }
    }

    /// Stops reading, like `head` after its last line.
    package func stopReading() {
        closeEnds()
    }

    package func send(_ signal: CInt) {
        kill(process, signal)
    }

    /// Sends a signal, by default SIGTERM, and expects that the process then ends with status 0.
    package func end(
        by signal: CInt? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        send(signal ?? SIGTERM)
        let status = await status()
        #expect(status == 0, sourceLocation: sourceLocation)
    }

    /// Stops the process like a suspended machine, and waits until it is stopped.
    package func suspend() async {
        send(SIGSTOP)
        await wait(until: "it is stopped") { isStopped }
    }

    /// The effective user of each thread.
    package var userIDs: [Int] {
        guard let folder = opendir("/proc/\(process)/task") else { return [] }
        defer { closedir(folder) }
        var users: [Int] = []
        while var entry = readdir(folder)?.pointee {
            let thread = withUnsafePointer(to: &entry.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let status = String(
                decoding: readFile("/proc/\(process)/task/\(thread)/status"), as: UTF8.self)
            let line = status.split(separator: "\n").first { $0.hasPrefix("Uid:") }
            if let user = line?.split(separator: "\t").dropFirst(2).first {
                users.append(Int(user) ?? -1)
            }
        }
        return users
    }

    private var isStopped: Bool {
        guard let file = fopen("/proc/\(process)/stat", "re") else { return false }
        defer { fclose(file) }
        var line = [UInt8](repeating: 0, count: 512)
        let count = fread(&line, 1, line.count, file)
        // The state follows the name, which may contain brackets.
        let text = line.prefix(count)
        return text.lastIndex(of: UInt8(ascii: ")")).map { text.dropFirst($0 + 2).first }
            == UInt8(ascii: "T")
    }

    /// Waits for the end; returns the exit status, or -1 after a signal.
    package func status() async -> CInt {
        await withTaskCancellationHandler {
            await reaper.first(1).first ?? -1
        } onCancel: {
            kill(process, SIGKILL)
        }
    }

    /// Waits for the process on a separate thread, because `waitpid` blocks. It must be reaped only here:
    /// the testing library waits for all child processes to find its own.
    private static func reap(_ process: pid_t, _ reaper: Witness<CInt>) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Reaping(process: process, reaper: reaper)).toOpaque()
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let reaping = Unmanaged<Reaping>.fromOpaque(context).takeRetainedValue()
                var status: CInt = 0
                while waitpid(reaping.process, &status, 0) < 0, errno == EINTR {}
                reaping.reaper.note(status & 0x7F == 0 ? status >> 8 & 0xFF : -1)
                return nil
            }, context)
        pthread_detach(thread)
    }
}

private final class Reaping: Sendable {
    let process: pid_t
    let reaper: Witness<CInt>

    init(process: pid_t, reaper: Witness<CInt>) {
        self.process = process
        self.reaper = reaper
    }
}
