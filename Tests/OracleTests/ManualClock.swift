// SPDX-License-Identifier: MIT
import Glibc
import GPSTestSupport

/// The clock of a process into which `Tests/ManualClock` has been loaded: it stands still until the test advances it.
///
/// Its methods block.
final class ManualClock {
    /// The environment that the process needs.
    let environment: [String]
    private let listener: UnixSocket
    private var connection: CInt = -1
    /// Nanoseconds since the start.
    private var time: Int64 = 0
    /// The time at which the process continues without input.
    private var deadline: Int64 = 0

    /// Milliseconds since the start.
    var now: Int { Int(time / 1_000_000) }

    /// Listens in a folder for the process.
    init(in folder: TemporaryFolder) throws {
        let path = folder.path("clock")
        listener = try UnixSocket(listeningAt: path)
        environment = [
            "LD_PRELOAD=\(CommandRun.beside("libManualClock.so"))",
            "GPSBRIDGE_MANUAL_CLOCK=\(path)",
        ]
    }

    deinit { close(connection) }

    /// Waits for the process.
    func connect() {
        connection = accept(listener.descriptor, nil, nil)
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    }

    /// Runs the process up to a time in milliseconds. `observe` is called with each time
    /// at which it may have done something, and returns whether the process has been answered, so that it may do
    /// more at that time. Returns `false` once the process has ended.
    func advance(to target: Int, _ observe: (Int) -> Bool) -> Bool {
        let target = Int64(target) * 1_000_000
        while settle() {
            if observe(now) { continue }
            if time >= target { return true }
            time = min(max(deadline, time + 1_000_000), target)
        }
        return false
    }

    /// Waits until the process is idle at the current time; returns `false` once it has ended.
    private func settle() -> Bool {
        send(connection, &time, 8, CInt(MSG_NOSIGNAL)) == 8
            && recv(connection, &deadline, 8, CInt(MSG_WAITALL)) == 8
    }
}
