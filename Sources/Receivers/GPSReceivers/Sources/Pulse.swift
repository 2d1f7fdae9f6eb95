// SPDX-License-Identifier: MIT
package import CGPSSerial
import GNSS
import GPSIO
import Glibc
import Synchronization

/// A pulse that a receiver sends at the beginning of a second (PPS).
package struct Pulse: Hashable, Sendable {
    /// The time of the pulse on the system's clock, in nanoseconds since 1970.
    package let systemTime: Int64
    /// The precision of `systemTime`, as an exponent of two: -20 means 2^-20 s.
    package let precision: Int

    /// Creates a pulse. The default precision is that of the kernel's time stamps.
    package init(systemTime: Int64, precision: Int = Pulse.kernelPrecision) {
        self.systemTime = systemTime
        self.precision = precision
    }

    /// Creates a pulse from an edge that C code reports. Returns `nil` if there has been no edge
    /// yet or its time is invalid.
    package init?(_ edge: cpps_edge, precision: Int = Pulse.kernelPrecision) {
        guard edge.sequence != 0, 0..<1_000_000_000 ~= edge.nanoseconds else { return nil }
        let (seconds, overflow) = edge.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (time, isBeyond) = seconds.addingReportingOverflow(Int64(edge.nanoseconds))
        guard !overflow, !isBeyond else { return nil }
        self.init(systemTime: time, precision: precision)
    }

    /// The precision of a time stamp that an interrupt handler takes: about a microsecond.
    private static let kernelPrecision = -20
    /// The precision of a time stamp that a thread takes after it has been woken: about a
    /// millisecond. USB polls the line at about the same interval.
    static let threadPrecision = -10

    /// The edge of a pulse that marks the beginning of the second.
    package enum Edge: Sendable {
        /// The rising edge, which the kernel calls "assert".
        case assert
        /// The falling edge.
        case clear
    }
}

/// A PPS device, such as `/dev/pps0`. The kernel takes the time stamps of its pulses.
package final class PulseDevice: Sendable {
    /// The maximum time of one wait, in seconds. The thread ends at most this long after `close()`.
    private static let waitTimeout: CInt = 2

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
                ? DeviceError(of: .notADevice, device: path, errno: errno)
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
        guard error == 0 else { throw DeviceError(of: .ioFailed, device: path, errno: error) }
    }

    /// Whether the device still exists. A wait for a removed device only times out, so its removal
    /// must be detected by this check.
    private var isPresent: Bool { access(FileName.native(path), F_OK) == 0 }

    private func failure(_ number: CInt) -> DeviceError {
        isPresent
            ? DeviceError(of: .ioFailed, device: path, errno: number)
            : DeviceError(.disconnected, device: path)
    }
}

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
                of: error == ENOTTY ? .notADevice : .ioFailed, device: name, errno: error)
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
