// SPDX-License-Identifier: MIT
import CGPSSerial
import GPSIO
import Glibc
import Synchronization

/// The ttys that this process has open. Their settings are restored at `exit`.
///
/// The kernel does not restore them: a tty keeps its settings after the last close. A pseudo
/// terminal also stays locked while its other side is open, so that only root could open it again.
enum OpenLines {
    private struct Line {
        let descriptor: Descriptor
        let former: cserial_settings
    }

    private struct State {
        var lines: [ObjectIdentifier: Line] = [:]
        var isExiting = false
    }

    private static let state = Mutex(State())
    /// Held for reading while a tty is being opened, and for writing from `exit` on.
    // Safety: The pointer is set once, and any thread may call the functions of a pthread lock.
    private nonisolated(unsafe) static let openings = {
        let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        pthread_rwlock_init(lock, nil)
        return lock
    }()
    /// The maximum time in seconds that `exit` waits for ttys that are being opened.
    private static let patience = 2
    /// The id of the process that opened the ttys. A forked child process does not restore them
    /// when it exits.
    private static let process: pid_t = {
        atexit { OpenLines.restoreAll() }
        return getpid()
    }()

    /// Opens and adds a tty. `exit` waits until `body` returns, because the tty has other settings
    /// before it is added. If the process is already exiting, this method waits for its end.
    static func opening<Line>(_ body: () throws(DeviceError) -> Line) throws(DeviceError) -> Line {
        _ = process
        pthread_rwlock_rdlock(openings)
        defer { pthread_rwlock_unlock(openings) }
        return try body()
    }

    /// Adds a newly opened tty, and locks the tty if `isExclusive` is `true`. `former` contains the
    /// settings to restore. The lock is recorded in `former`, so that restoring the settings also
    /// unlocks the tty.
    ///
    /// Adding and locking happen under one lock, so that `exit` restores every locked tty.
    static func add(
        _ descriptor: Descriptor, isExclusive: Bool, former: inout cserial_settings
    ) {
        var settings = former
        state.withLock { state in
            descriptor.use { fd in
                if state.isExiting {
                    withUnsafePointer(to: settings) { cserial_restore(fd, $0) }
                } else if isExclusive {
                    cserial_exclude(fd, &settings)
                }
            }
            state.lines[ObjectIdentifier(descriptor)] =
                Line(descriptor: descriptor, former: settings)
        }
        former = settings
    }

    /// Removes a closed tty.
    static func remove(_ descriptor: Descriptor) {
        // The descriptor is released outside the lock.
        _ = state.withLock { $0.lines.removeValue(forKey: ObjectIdentifier(descriptor)) }
    }

    private static func restoreAll() {
        guard process == getpid() else { return }
        state.withLock { $0.isExiting = true }
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += patience
        pthread_rwlock_timedwrlock(openings, &end)
        state.withLock { state in
            for line in state.lines.values {
                line.descriptor.use { fd in
                    withUnsafePointer(to: line.former) { cserial_restore(fd, $0) }
                }
            }
        }
    }
}
