// SPDX-License-Identifier: MIT
import CGPSSerial
import GNSS
import Glibc
import Synchronization

/// A child process whose standard output can be read. Deinitializing the object ends the
/// process.
package final class ChildProcess: Sendable {
    /// The read end of the process's standard output.
    package let output: Descriptor
    private let life: ProcessState

    /// The state of the process, shared with the background thread that waits for its end.
    private final class ProcessState: Sendable {
        private struct State {
            /// The id of the process; `nil` after it has been reaped.
            var id: pid_t?
            /// The exit status after the end, and the streams that wait for it.
            var status: CInt?
            var waiting: [AsyncStream<CInt>.Continuation] = []
        }

        private let state: Mutex<State>

        init(_ id: pid_t) { state = Mutex(State(id: id)) }

        /// Whether the process has not been reaped.
        var isRunning: Bool { state.withLock { $0.id != nil } }

        /// Kills the process and the other processes of its group, unless it has been reaped.
        func kill() {
            state.withLock { state in
                if let id = state.id { Glibc.kill(-id, SIGKILL) }
            }
        }

        /// Returns a stream that contains the exit status after the process has ended.
        func status() -> AsyncStream<CInt> {
            let (statuses, continuation) = AsyncStream<CInt>.makeStream()
            let status = state.withLock { state in
                if state.status == nil { state.waiting.append(continuation) }
                return state.status
            }
            if let status { continuation.yield(status) }
            return statuses
        }

        func ended(_ status: CInt) {
            let waiting = state.withLock { state in
                state.status = status
                return exchange(&state.waiting, with: [])
            }
            for continuation in waiting { continuation.yield(status) }
        }

        /// Blocks until the process has ended, and reaps it. Returns its exit status, or 128 plus
        /// the number of the signal that ended it.
        func reap() -> CInt {
            guard let process = state.withLock({ $0.id }) else { return 0 }
            var information = siginfo_t()
            // `WNOWAIT` leaves the process unreaped. It is reaped below with the lock held, so that
            // `end()` never signals another process that has got the same id.
            while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0,
                errno == EINTR
            {}
            var status: CInt = 0
            state.withLock { state in
                waitpid(process, &status, 0)
                state.id = nil
            }
            let signal = status & 0x7F
            return signal == 0 ? status >> 8 & 0xFF : 128 + signal
        }
    }

    /// Starts a program in a new process group, with all signals at their default. Its standard
    /// input is empty, and its standard error is discarded. `arguments` includes the program's
    /// name.
    ///
    /// The program gets this process's environment without its secrets. Only if `getsAccess` is
    /// `true`, it also gets the variables with which `gpsbridge-fleet` finds its credentials.
    ///
    /// Throws an ``IOError`` if the program cannot be executed, for example with `ENOENT`. The
    /// corresponding C function is `posix_spawn`.
    package init(
        _ program: String, _ arguments: [String], getsAccess: Bool = false, poller: Poller
    ) throws(IOError) {
        var ends: [CInt] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else {
            throw IOError(.create, "pipe")
        }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        let (id, error) = Self.spawn(
            program, arguments, Self.environment(getsAccess: getsAccess), output: ends[1])
        close(ends[1])
        guard let id else {
            close(ends[0])
            throw IOError(.start, program, errno: error)
        }
        output = Descriptor(ends[0], poller: poller)
        let life = ProcessState(id)
        self.life = life
        let result = DetachedThread.start("gps-child") { life.ended(life.reap()) }
        guard result == 0 else {
            // The process could not be waited for.
            end()
            throw IOError(.start, program, errno: result)
        }
    }

    deinit { end() }

    /// Returns the variables that a child gets, and a null pointer. This program's own variables,
    /// and others that contain a secret or lead to one, are left out.
    private static func environment(getsAccess: Bool) -> [UnsafeMutablePointer<CChar>?] {
        var variables: [UnsafeMutablePointer<CChar>?] = []
        var next = clinux_environment()
        while let variable = next?.pointee {
            next = next?.advanced(by: 1)
            let name = String(String(cString: variable).prefix { $0 != "=" })
            let isAccess = getsAccess && !ownSecrets.contains(name)
            let isOwn = name.hasPrefix("GPSBRIDGE_") && !isAccess
            if !isOwn, !secrets.contains(name) { variables.append(variable) }
        }
        return variables + [nil]
    }

    /// The secrets of the commands that read receivers.
    private static let ownSecrets: Set<String> = [
        "GPSBRIDGE_HTTP_TOKEN", "GPSBRIDGE_NTRIP_PASSWORD",
    ]

    /// Variables of systemd and PostgreSQL that contain a secret, or the path of one.
    private static let secrets: Set<String> = [
        "CREDENTIALS_DIRECTORY", "PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE", "PGSSLKEY",
    ]

    private static func spawn(
        _ program: String, _ arguments: [String],
        _ environment: [UnsafeMutablePointer<CChar>?], output: CInt
    ) -> (pid_t?, CInt) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // This program may block or ignore signals; the child must not inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // The child has its own process group, so that ^C at the terminal does not end it.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var id = pid_t()
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let error = posix_spawn(
            &id, FileName.native(program), &actions, &attributes, &words, environment)
        return error == 0 ? (id, 0) : (nil, error)
    }

    /// Whether the process still runs.
    package var isRunning: Bool { life.isRunning }

    /// Waits until the process has ended, and returns its exit status, or 128 plus the number of
    /// the signal that ended it. Returns `nil` if the task is cancelled.
    package func status() async -> CInt? {
        for await status in life.status() { return status }
        return nil
    }

    /// Closes the output. If the process still runs, kills it and the other processes of its group.
    package func end() {
        output.close()
        life.kill()
    }
}

/// A process on this machine, with properties read from `/proc`.
package struct RunningProcess: Sendable {
    package let id: Int

    /// All processes listed in `/proc`; empty if it cannot be read.
    package static var all: [RunningProcess] {
        Folder.names(in: "/proc").compactMap { Int($0).map(RunningProcess.init) }
    }

    /// The program's name, truncated by the kernel to 15 characters; `nil` if the process has
    /// ended.
    package var name: String? {
        let line = read("comm")
        return line.isEmpty ? nil : String(decoding: line.prefix { $0 > 0x1f }, as: UTF8.self)
    }

    /// `gpsd` or `gpsbridge serve` if the process runs that server; otherwise `nil`.
    package var server: String? {
        switch name {
        case "gpsd": return "gpsd"
        case "gpsbridge":
            let words = read("cmdline").split(separator: 0).prefix(2)
            return words.last.map { String(decoding: $0, as: UTF8.self) } == "serve"
                ? "gpsbridge serve" : nil
        default: return nil
        }
    }

    /// The port that the command line of a server gives for gpsd's clients; `nil` if it gives none.
    package var port: UInt16? {
        let words = read("cmdline", limit: 4096).split(separator: 0).map {
            String(decoding: $0, as: UTF8.self)
        }
        let option = name == "gpsd" ? "-S" : "--listen"
        guard let index = words.lastIndex(where: { $0.hasPrefix(option) }) else { return nil }
        var address = words[index].dropFirst(option.count)
        if address.hasPrefix("=") { address = address.dropFirst() }
        if address.isEmpty, words.indices.contains(index + 1) { address = words[index + 1][...] }
        let port = address.split(separator: ":", omittingEmptySubsequences: false).last
        return port.flatMap { UInt16($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Whether the process is a child of this process that has not called `exec`. Until then, it
    /// has all files of this process open.
    package var isBeingStarted: Bool {
        guard parent == Int(getpid()), let program = Node("/proc/\(id)/exe").linkTarget else {
            return false
        }
        return program == Node("/proc/self/exe").linkTarget
    }

    private var parent: Int? {
        // The fields are process id, name, state and parent. The name may contain spaces and
        // parentheses.
        let line = read("stat")
        guard let end = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = line[end...].split(separator: UInt8(ascii: " "), maxSplits: 3)
        return fields.count > 2 ? Int(String(decoding: fields[2], as: UTF8.self)) : nil
    }

    /// Returns the first bytes of a file in the process's `/proc` folder; empty if it cannot be read.
    private func read(_ name: String, limit: Int = 256) -> ArraySlice<UInt8> {
        guard let file = fopen("/proc/\(id)/\(name)", "re") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = fread(&bytes, 1, bytes.count, file)
        return bytes.prefix(count)
    }

    /// Returns whether the process has a file open. `path` is its absolute path without symbolic
    /// links, and `file` its identity.
    package func hasOpen(_ path: String, _ file: Node.File) -> Bool {
        let folder = "/proc/\(id)/fd"
        return Folder.names(in: folder).map { Node("\(folder)/\($0)") }.contains { node in
            // Compare the link's text first, because examining a file on a network could block.
            // Then compare the identity, because a process in a container may have a different file
            // with the same path.
            node.linkTarget == path && node.file == file
        }
    }
}
