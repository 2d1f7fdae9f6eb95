// SPDX-License-Identifier: MIT
import CGPSSerial
import GNSS
import GPSIO
import Glibc
import Synchronization

/// A PPS device, such as `/dev/pps0`. The kernel takes the time stamps of its pulses.
package final class PulseDevice: Sendable {
    /// The maximum time of one wait, in seconds. The thread ends at most this long after `close()`.
    private static let waitTimeout: CInt = 2

    /// The path as given.
    package let path: String
    private let fd: CInt
    private let edge: Pulse.Edge
    private let isClosed = Atomic<Bool>(false)

    /// Opens the device. Throws `.notFound`, `.permissionDenied`, `.notADevice` if it is not a PPS
    /// device, or `.ioFailed` if it does not capture this edge.
    package convenience init(_ path: String, edge: Pulse.Edge = .assert) throws(DeviceError) {
        let fd = cpps_open(path, edge == .clear)
        guard fd >= 0 else {
            throw errno == ENOTTY
                ? DeviceError(.notADevice, device: path, errno: errno)
                : DeviceError.opening(path, errno: errno)
        }
        self.init(path, edge: edge, descriptor: fd)
    }

    /// Creates a device that owns an open descriptor, which is not checked.
    package init(_ path: String, edge: Pulse.Edge = .assert, descriptor: CInt) {
        (self.path, self.edge, fd) = (path, edge, descriptor)
    }

    deinit { Glibc.close(fd) }

    /// Ends the thread that waits for pulses, within two seconds.
    package func close() {
        isClosed.store(true, ordering: .relaxed)
    }

    /// Starts a thread that waits for pulses and calls `handle` with each. If the device can no
    /// longer be read, the thread calls `fail` with the error and ends.
    ///
    /// Throws `.ioFailed` if the thread cannot be created.
    package func start(
        _ handle: @escaping @Sendable (Pulse) -> Void,
        onFailure fail: @escaping @Sendable (DeviceError) -> Void
    ) throws(DeviceError) {
        let error = DetachedThread.start("gps-pps") { [self] in
            var sequence: UInt32?
            while !isClosed.load(ordering: .relaxed) {
                var found = cpps_edge()
                guard cpps_fetch(fd, Self.waitTimeout, edge == .clear, &found) == 0 else {
                    let number = errno
                    if number == EINTR || number == ETIMEDOUT && isPresent { continue }
                    return fail(failure(number))
                }
                // The other edge also ends the wait, without a new sequence number of this edge.
                guard found.sequence != sequence, let pulse = Pulse(found) else { continue }
                sequence = found.sequence
                handle(pulse)
            }
        }
        guard error == 0 else { throw DeviceError(.ioFailed, device: path, errno: error) }
    }

    /// Whether the device still exists. A wait for a removed device only times out, so its removal
    /// must be detected by this check.
    private var isPresent: Bool { access(FileName.native(path), F_OK) == 0 }

    private func failure(_ number: CInt) -> DeviceError {
        isPresent
            ? DeviceError(.ioFailed, device: path, errno: number)
            : DeviceError(.disconnected, device: path)
    }
}
