// SPDX-License-Identifier: MIT
import CGPSSignals
import Dispatch
import GNSS
import GPSIO
import Glibc

/// Handles signals. SIGINT, SIGTERM, the end of `--duration` (SIGALRM) and, unless they are
/// ignored, SIGHUP and SIGQUIT cancel the current work. SIGPIPE is ignored, so that writing to a
/// closed pipe is an error.
package enum Signals {
    /// A file descriptor that becomes readable when a signal that cancels the work is received. It
    /// is never read, so it stays readable.
    package static let descriptor = csignals_descriptor()

    /// Installs the signal handlers and opens `descriptor`. Also opens `/dev/null` for each closed
    /// standard descriptor. Call it before any other file descriptor is opened.
    static func prepare() {
        _ = csignals_occupy_standard_descriptors()
        _ = descriptor
    }

    /// The number of the first received signal that cancels the work (SIGALRM at the end of
    /// `--duration`); `nil` if none was received.
    package static var received: CInt? { csignals_received() == 0 ? nil : csignals_received() }

    /// Cancels the current work after a number of seconds, as a signal does, even while it waits
    /// for a stalled reader.
    package static func end(after seconds: Double) {
        _ = csignals_end_after(seconds)
    }

    /// Blocks until a descriptor is ready for `events`, as in `poll`.
    ///
    /// - Throws: `CancellationError` if a signal is received first.
    package static func wait(for descriptor: CInt, _ events: CInt) throws(CancellationError) {
        var polled = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: Self.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&polled, 2, -1) < 0 {}
        if polled[1].revents != 0 { throw CancellationError() }
    }

    /// Blocks for a number of milliseconds.
    ///
    /// - Throws: `CancellationError` if a signal is received first.
    package static func sleep(milliseconds: CInt) throws(CancellationError) {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&polled, 1, milliseconds) > 0 { throw CancellationError() }
    }

    /// Holds each SIGHUP from now on until `reloading(_:while:)` handles it. SIGHUP no longer ends
    /// the process.
    package static func keepHangups() { _ = csignals_hangup_descriptor() }

    /// Runs `work`, and calls `reload` at each SIGHUP instead of ending the process. A SIGHUP that
    /// is caused by closing the terminal still ends the process.
    static func reloading(
        _ reload: @escaping @Sendable () async -> Void,
        while work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let hangups = csignals_hangup_descriptor()
        guard hangups >= 0 else { return try await work() }
        let watch = Task(executorPreference: BackgroundExecutor.shared) {
            let watched = Descriptor(hangups, owned: false)
            while await watched.readable() == .ready {
                if csignals_clear_hangup() != 0 { kill(getpid(), SIGTERM) } else { await reload() }
            }
        }
        let result: Result<Void, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        watch.cancel()
        await watch.value
        try result.get()
    }

    /// Runs `work`. A signal cancels it; then `CancellationError` is thrown, or the `ExitStatus`
    /// that the cancelled work throws.
    static func runUntilSignal(_ work: @escaping @Sendable () async throws -> Void)
        async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work() }
            group.addTask {
                let watched = Descriptor(descriptor, owned: false)
                guard await watched.readable() == .ready else { return }
                throw CancellationError()
            }
            defer { group.cancelAll() }
            do {
                try await group.next()
            } catch is CancellationError {
                try await group.endCancelled()
            }
        }
    }
}

/// Sends notifications to systemd if systemd started this process as a service.
///
/// The corresponding C function is `sd_notify`, which sends a datagram.
package struct ServiceManager: Sendable {
    /// The connection to the service manager; `nil` if this process does not run as a service.
    package static let shared = ServiceManager()

    /// The path of the notification socket. A leading `@` marks an abstract name.
    private let path: String

    private init?() {
        guard let path = Self.variable("NOTIFY_SOCKET"), path.hasPrefix("/") || path.hasPrefix("@")
        else { return nil }
        self.path = path
    }

    /// Reports that the service is ready.
    package func ready() {
        notify("READY=1")
    }

    /// Reports the status of the service, for `systemctl status`.
    package func report(_ text: String) {
        // A newline would start another variable.
        notify("STATUS=\(TerminalText.safe(text))")
    }

    /// Runs `body` while sending watchdog notifications. When the task is cancelled, reports that
    /// the service is stopping.
    static func watching(_ body: @escaping @Sendable () async throws -> Void) async throws {
        guard let shared else { return try await body() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await withTaskCancellationHandler {
                    try await body()
                } onCancel: {
                    shared.notify("STOPPING=1")
                }
            }
            if let period = watchdogPeriod {
                group.addTask { await shared.notifyWatchdog(every: period) }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Sends watchdog notifications, timed by the polling thread. If this task or that thread
    /// hangs, no more notifications are sent.
    private func notifyWatchdog(every period: Duration) async {
        repeat {
            notify("WATCHDOG=1")
        } while await Poller.shared.sleep(until: .now + period) == .timedOut
        // If sleeping fails, waits until the task is cancelled, because it must not end before the
        // work.
        while !Task.isCancelled { _ = await Poller.shared.sleep(until: .now + .seconds(3600)) }
    }

    /// Half of systemd's watchdog timeout; `nil` if the watchdog is disabled.
    private static var watchdogPeriod: Duration? {
        guard let limit = variable("WATCHDOG_USEC").flatMap({ Int64($0) }), limit > 0 else {
            return nil
        }
        let process = variable("WATCHDOG_PID")
        guard process == nil || process == "\(getpid())" else { return nil }
        return .microseconds(max(1, limit / 2))
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Sends a datagram without waiting. It is lost if the service manager's buffer is full.
    private func notify(_ state: String) {
        let fd = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard fd >= 0 else { return }
        defer { close(fd) }
        let isAbstract = path.hasPrefix("@")
        guard
            let address = SocketAddress(
                unix: isAbstract ? String(path.dropFirst()) : path, isAbstract: isAbstract)
        else { return }
        let bytes = Array(state.utf8)
        let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
        _ = address.use { sendto(fd, bytes, bytes.count, flags, $0, $1) }
    }
}

/// Checks the process's resource limits, and reserves the file descriptors that every command
/// needs.
enum Resources {
    /// The number of file descriptors that every command needs, in addition to its input and
    /// output.
    private static let neededFiles = 16

    /// Reserves the file descriptors that libdispatch needs. Returns an error message if a resource
    /// limit of the process is too low.
    static func prepare() -> String? {
        // Without memory for threads, libdispatch would retry forever, and no signal would end it.
        guard DetachedThread.start("gps-test", {}) == 0 else {
            return "cannot start a thread: raise the limit on memory or on the number of "
                + "processes (ulimit -v, ulimit -u)"
        }
        let missing = missingFiles()
        guard missing == 0 else { return fileLimitMessage(missing: missing) }
        // libdispatch opens three file descriptors for its first timer, and crashes with SIGILL if
        // it cannot. Its own threads also use timers, so a timer is started before receivers can
        // use up all file descriptors.
        // The queue is serial for the reason that `BackgroundExecutor` describes.
        DispatchQueue(label: "gpsbridge.first-timer").asyncAfter(
            deadline: .now() + .milliseconds(1)
        ) {}
        return nil
    }

    /// Returns the number of needed file descriptors that cannot be opened now.
    ///
    /// The corresponding C function is `fcntl` with `F_DUPFD_CLOEXEC`.
    private static func missingFiles() -> Int {
        let files = (0..<neededFiles).map { _ in fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) }
        defer { for file in files where file >= 0 { close(file) } }
        return files.count { $0 < 0 }
    }

    /// Returns the error message for a limit of open files that is too low by `missing`.
    ///
    /// The corresponding C function is `getrlimit`.
    private static func fileLimitMessage(missing: Int) -> String {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let needed = limit.rlim_cur &+ rlim_t(missing)
        let numbers = "limit of open files is \(limit.rlim_cur), and this program needs \(needed)"
        // A shell can raise the limit only up to its hard limit.
        guard limit.rlim_max < needed else {
            let enough = min(max(needed, 1024), limit.rlim_max)
            return "the \(numbers): raise the limit (ulimit -n \(enough), or LimitNOFILE= of a "
                + "service)"
        }
        return "the hard \(numbers): start it in a shell with a higher hard limit (see "
            + "`ulimit -Hn`), or set LimitNOFILE= of its service"
    }
}

/// An error that ends the process with an exit status. The failure has already been reported to the
/// user.
package struct ExitStatus: Error {
    /// The process's exit status.
    package let code: CInt

    /// Creates an error with an exit status.
    package init(code: CInt) {
        self.code = code
    }

    /// A failure that has already been reported to the user.
    package static let failed = ExitStatus(code: 1)

    /// No valid sentence was received, no fix was written or recorded, or there were fewer fixes
    /// than requested.
    package static let nothingFound = ExitStatus(code: 3)

    /// The table of exit statuses in help and manual pages.
    static let meanings: [(status: String, meaning: String)] = [
        ("0", "success, including when `monitor` or `record` is interrupted"),
        ("1", "failed"),
        ("2", "usage error"),
        ("3", "no valid sentence, nothing to write, or fewer fixes than --count"),
        ("10 to 31", "what `doctor` found: see `gpsbridge help doctor`"),
        (
            "129, 130, 131, 143",
            "a signal ended `convert`, `doctor`, or `configure` with --dump or a change"
        ),
    ]

    /// The table as text, one status per line.
    package static var table: String {
        "Exit status:\n" + TwoColumns.text(meanings.map { ($0.status, $0.meaning) })
    }
}

extension ThrowingTaskGroup where Failure == any Error {
    /// Cancels the tasks and waits for their end. Throws the `ExitStatus` that the first failing task
    /// throws; otherwise, `CancellationError`.
    package mutating func endCancelled() async throws {
        cancelAll()
        do {
            try await waitForAll()
        } catch let status as ExitStatus {
            throw status
        } catch {}
        throw CancellationError()
    }
}

/// An error that ends a command. The program prints it on one line and exits with status 1.
package struct CommandFailure: Error, CustomStringConvertible {
    package let description: String

    /// Creates an error.
    package init(_ description: String) {
        self.description = description
    }

    /// Creates the error for an output that cannot be written. The description contains the reason
    /// and advice.
    package init(writing name: String, errno: CInt) {
        self.init("cannot write to \(name): \(IOError.reason(errno, writing: name))")
    }
}
