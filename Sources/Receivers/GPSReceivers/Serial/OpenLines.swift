// SPDX-License-Identifier: MIT
import CGPSSerial
import Dispatch
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
    /// The ttys that are being opened.
    private static let openings = DispatchGroup()
    /// The maximum time that `exit` waits for these ttys.
    private static let patience = DispatchTimeInterval.seconds(2)
    /// The id of the process that opened the ttys. A forked child process does not restore them
    /// when it exits.
    private static let process: pid_t = {
        atexit { OpenLines.restoreAll() }
        return getpid()
    }()

    /// Opens and adds a tty. `exit` waits until `body` returns, because the tty has other settings
    /// before it is added.
    ///
    /// Throws `.cancelled` if the process is exiting.
    static func opening<Line>(
        _ path: String, _ body: () throws(DeviceError) -> Line
    ) throws(DeviceError) -> Line {
        _ = process
        let isExiting = state.withLock { state in
            if !state.isExiting { openings.enter() }
            return state.isExiting
        }
        guard !isExiting else { throw DeviceError(.cancelled, device: path) }
        defer { openings.leave() }
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
        // `add` restores a tty whose opening takes longer.
        _ = openings.wait(timeout: .now() + patience)
        state.withLock { state in
            for line in state.lines.values {
                line.descriptor.use { fd in
                    withUnsafePointer(to: line.former) { cserial_restore(fd, $0) }
                }
            }
        }
    }
}
