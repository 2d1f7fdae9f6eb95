// SPDX-License-Identifier: MIT
import CGPSSerial
import Glibc

/// Receives the pulses on the DCD line of an open tty. A thread waits for them and takes their time
/// stamps. The thread ends when this object is released.
///
/// The corresponding C function is `ioctl` with `TIOCMIWAIT`.
// Safety: `line` and `receiver` are set once, and used again only by `deinit`, which ends the thread
// before it releases the receiver.
package final class PulseLine: @unchecked Sendable {
    private final class Receiver: Sendable {
        let handle: @Sendable (Pulse) -> Void

        init(_ handle: @escaping @Sendable (Pulse) -> Void) {
            self.handle = handle
        }
    }

    private let line: OpaquePointer
    // Safety: released by `deinit` after the thread has ended.
    private let receiver: Unmanaged<Receiver>

    /// Starts to wait for pulses. Throws `.notADevice` if the tty has no DCD line, or `.ioFailed`
    /// if waiting cannot be started for another reason.
    init(
        _ fd: CInt, name: String, edge: Pulse.Edge, _ handle: @escaping @Sendable (Pulse) -> Void
    ) throws(DeviceError) {
        // Safety: `deinit` releases the receiver or, without a thread, the code below.
        let receiver = Unmanaged.passRetained(Receiver(handle))
        let line = cpps_watch(
            fd, edge == .clear,
            { context, edge in
                guard let context, let pulse = Pulse(edge, precision: Pulse.threadPrecision)
                else { return }
                // Safety: the receiver lives until the thread has ended.
                Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue().handle(pulse)
            }, receiver.toOpaque())
        guard let line else {
            let error = errno
            receiver.release()
            throw DeviceError(
                error == ENOTTY ? .notADevice : .ioFailed, device: name, errno: error)
        }
        (self.line, self.receiver) = (line, receiver)
    }

    deinit {
        cpps_unwatch(line)
        receiver.release()
    }

    /// Returns whether a path names a tty or a link to one. Does not open the tty.
    package static func isPossible(at path: String) -> Bool { cpps_is_tty(path) }
}
