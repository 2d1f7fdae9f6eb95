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

    /// The id of the process, shared with the background thread that waits for its end. The id is
    /// `nil` after that thread has reaped the process.
    private final class ProcessState: Sendable {
        let id: Mutex<pid_t?>
        /// The exit status after the end, and the streams that wait for it.
        private let end = Mutex<(status: CInt?, waiting: [AsyncStream<CInt>.Continuation])>(
            (nil, []))

        init(_ id: pid_t) { self.id = Mutex(id) }

        /// Returns a stream that contains the exit status after the process has ended.
        func status() -> AsyncStream<CInt> {
            let (statuses, waiting) = AsyncStream<CInt>.makeStream()
            let status = end.withLock { end in
                if end.status == nil { end.waiting.append(waiting) }
                return end.status
            }
            if let status { waiting.yield(status) }
            return statuses
        }

        func ended(_ status: CInt) {
            let waiting = end.withLock { end in
                end.status = status
                return exchange(&end.waiting, with: [])
            }
            for continuation in waiting { continuation.yield(status) }
        }

        /// Blocks until the process has ended, and reaps it. Returns its exit status, or 128 plus
        /// the number of the signal that ended it.
        func reap() -> CInt {
            guard let process = id.withLock({ $0 }) else { return 0 }
            var information = siginfo_t()
            // `WNOWAIT` leaves the process unreaped. It is reaped below with the lock held, so that
            // `end()` never signals another process that has got the same id.
            while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0,
                errno == EINTR
            {}
            var status: CInt = 0
            id.withLock { id in
                waitpid(process, &status, 0)
                id = nil
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
            let isAccess = getsAccess && name != "GPSBRIDGE_HTTP_TOKEN"
            let isOwn = name.hasPrefix("GPSBRIDGE_") && !isAccess
            if !isOwn, !secrets.contains(name) { variables.append(variable) }
        }
        return variables + [nil]
    }

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
    package var isRunning: Bool { life.id.withLock { $0 != nil } }

    /// Waits until the process has ended, and returns its exit status, or 128 plus the number of
    /// the signal that ended it. Returns `nil` if the task is cancelled.
    package func status() async -> CInt? {
        for await status in life.status() { return status }
        return nil
    }

    /// Closes the output. If the process still runs, kills it and the other processes of its group.
    package func end() {
        output.close()
        life.id.withLock { id in
            guard let id else { return }
            kill(-id, SIGKILL)
        }
    }
}
