// SPDX-License-Identifier: MIT
import CGPSSerial
import GNSS
import Glibc
import Synchronization

/// A child process whose standard output can be read. Deinitializing the object ends the process,
/// unless it is detached.
package final class ChildProcess: Sendable {
    /// The read end of the process's standard output.
    package let output: Descriptor
    private let life: ProcessState
    private let statuses: AsyncStream<CInt>

    /// The id of the process, shared with the background thread that waits for its end. The id is
    /// `nil` after that thread has reaped the process, or after `detach()`.
    private final class ProcessState: Sendable {
        let id: Mutex<pid_t?>

        init(_ id: pid_t) { self.id = Mutex(id) }

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
    /// Throws an ``IOError`` if the program cannot be executed, for example with `ENOENT`. The
    /// corresponding C function is `posix_spawn`.
    package init(_ program: String, _ arguments: [String], poller: Poller) throws(IOError) {
        var ends: [CInt] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else {
            throw IOError(.create, "pipe")
        }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        let (id, error) = Self.spawn(program, arguments, output: ends[1])
        close(ends[1])
        guard let id else {
            close(ends[0])
            throw IOError(.start, program, errno: error)
        }
        output = Descriptor(ends[0], poller: poller)
        let life = ProcessState(id)
        let (statuses, status) = AsyncStream<CInt>.makeStream()
        (self.life, self.statuses) = (life, statuses)
        let result = DetachedThread.start("gps-child") {
            status.yield(life.reap())
            status.finish()
        }
        if result != 0 { status.finish() }
    }

    deinit { end() }

    private static func spawn(
        _ program: String, _ arguments: [String], output: CInt
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
            &id, FileName.native(program), &actions, &attributes, &words,
            clinux_environment())
        return error == 0 ? (id, 0) : (nil, error)
    }

    /// Whether the process still runs.
    package var isRunning: Bool { life.id.withLock { $0 != nil } }

    /// Waits until the process has ended, and returns its exit status, or 128 plus the number of
    /// the signal that ended it. Returns `nil` if the task is cancelled, or at a second call.
    package func status() async -> CInt? {
        for await status in statuses { return status }
        return nil
    }

    /// Lets the process continue after this object is deinitialized or this program ends.
    package func detach() { life.id.withLock { $0 = nil } }

    /// Closes the output. If the process still runs, kills it and the other processes of its group.
    package func end() {
        output.close()
        life.id.withLock { id in
            guard let id else { return }
            kill(-id, SIGKILL)
        }
    }
}
