// SPDX-License-Identifier: MIT
import CGPSSerial
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

    /// Opens the device. Throws `.notFound`, `.permissionDenied`, or `.notADevice` if it is not a
    /// PPS device.
    package init(_ path: String, edge: Pulse.Edge = .assert) throws(DeviceError) {
        self.path = path
        self.edge = edge
        fd = cpps_open(path)
        guard fd >= 0 else {
            throw errno == ENOTTY
                ? DeviceError(.notADevice, device: path, errno: errno)
                : DeviceError.opening(path, errno: errno)
        }
    }

    deinit { Glibc.close(fd) }

    /// Ends the thread that waits for pulses, within two seconds.
    package func close() {
        isClosed.store(true, ordering: .relaxed)
    }

    /// Starts a thread that waits for pulses and calls `handle` with each.
    ///
    /// Throws `.ioFailed` if the thread cannot be created.
    package func start(_ handle: @escaping @Sendable (Pulse) -> Void) throws(DeviceError) {
        let error = DetachedThread.start("gps-pps") { [self] in
            var sequence: UInt32?
            while !isClosed.load(ordering: .relaxed) {
                var found = cpps_edge()
                guard cpps_fetch(fd, Self.waitTimeout, edge == .clear, &found) == 0 else {
                    if [ETIMEDOUT, EINTR].contains(errno) { continue }
                    return
                }
                // The other edge also ends the wait, without a new sequence number of this edge.
                guard found.sequence != sequence, let pulse = Pulse(found) else { continue }
                sequence = found.sequence
                handle(pulse)
            }
        }
        guard error == 0 else { throw DeviceError(.ioFailed, device: path, errno: error) }
    }
}
