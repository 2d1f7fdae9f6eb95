// SPDX-License-Identifier: MIT
package import CGPSSerial
import GNSS
package import GPSIO
import Glibc
import Synchronization

/// A pulse that a receiver sends at the beginning of a second (PPS).
package struct Pulse: Hashable, Sendable {
    /// The time of the pulse's leading edge in nanoseconds, by the clock of `MonotonicInstant`. A
    /// step of the system's clock does not change it.
    package let time: Int64
    /// The largest error of `time` in nanoseconds, as far as it is known.
    package let uncertainty: Int64

    /// Creates a pulse. The default uncertainty is that of the kernel's time stamps.
    package init(time: Int64, uncertainty: Int64 = Pulse.kernelUncertainty) {
        (self.time, self.uncertainty) = (time, uncertainty)
    }

    /// The uncertainty of a time stamp that an interrupt handler takes: about a microsecond.
    private static let kernelUncertainty: Int64 = 1_000

    /// The precision of `time` as an exponent of two in seconds: -20 means 2^-20 s.
    package var precision: Int {
        Int((log2(Double(max(uncertainty, 1))) - log2(1e9)).rounded(.down))
    }

    /// The edge of a pulse that marks the beginning of the second.
    package enum Edge: String, Hashable, Sendable, CaseIterable {
        /// The rising edge, which the kernel calls "assert".
        case assert
        /// The falling edge.
        case clear
    }

    /// Returns the difference between the system's clock and that of `MonotonicInstant`, in
    /// nanoseconds. It changes if the system's clock is set.
    package static func clockOffset() -> Int64 { cpps_clock_offset() }

    /// Keeps the processors from sleeping so deeply that waking takes longer than a number of
    /// microseconds, until the returned descriptor is closed. Returns `nil`, with `errno`, if that
    /// is not allowed.
    package static func holdLatency(_ microseconds: Int) -> Descriptor? {
        let fd = cpps_hold_latency(CInt(clamping: microseconds))
        return fd < 0 ? nil : Descriptor(fd)
    }
}

/// The edges that the kernel has time-stamped, and those that are pulses.
package struct PulseEdges: Sendable {
    /// A step of the system's clock changes its difference to the monotonic clock by more than
    /// this, in nanoseconds.
    private static let step: Int64 = 1_000_000
    private static let tolerance: Int64 = 2_000_000
    /// A device that may capture both edges and reports only one has reported it this often.
    private static let lonelyCount = 4

    private let line = PulseLineName.dcd
    private var survey = PulseSurvey(line: .dcd)
    private var edge: Pulse.Edge?
    private var sequences: [Pulse.Edge: UInt32] = [:]
    private var counts: [Pulse.Edge: Int] = [:]
    private var offset: Int64?

    /// Creates the state of a device. `edge` is `nil` if the leading edge is to be found.
    package init(edge: Pulse.Edge?) {
        self.edge = edge
    }

    /// Processes the last edges of a device. `offset` is the present difference between the
    /// system's clock and that of `MonotonicInstant`. Returns the pulse that has just arrived.
    package mutating func receive(
        assert: cpps_edge, clear: cpps_edge, offset: Int64
    ) -> Pulse? {
        // A stamp of the clock before a step cannot be converted.
        let isSteady = exchange(&self.offset, with: offset).map { abs(offset &- $0) < Self.step }
        let new = [(Pulse.Edge.assert, assert), (.clear, clear)].compactMap { kind, edge in
            edge.sequence == 0
                || sequences.updateValue(edge.sequence, forKey: kind) == edge.sequence
                ? nil : Self.nanoseconds(edge).map { (kind: kind, time: $0 &- offset) }
        }
        guard isSteady != false else { return nil }
        var pulse: Pulse?
        for (kind, time) in new.sorted(by: { $0.time < $1.time }) {
            counts[kind, default: 0] += 1
            if edge == nil { choose(kind, at: time) }
            if kind == edge { pulse = Pulse(time: time) }
        }
        return pulse
    }

    private mutating func choose(_ kind: Pulse.Edge, at time: Int64) {
        let levels = kind == .assert ? line.bit : 0
        edge = survey.receive(levels, at: time, tolerance: Self.tolerance)?.edge
        if edge == nil, counts.count == 1, counts[kind, default: 0] >= Self.lonelyCount {
            edge = kind
        }
    }

    /// Returns the Unix time of an edge; `nil` if it is not valid.
    private static func nanoseconds(_ edge: cpps_edge) -> Int64? {
        guard 0..<1_000_000_000 ~= edge.nanoseconds else { return nil }
        let (seconds, overflow) = edge.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (time, isBeyond) = seconds.addingReportingOverflow(Int64(edge.nanoseconds))
        return overflow || isBeyond ? nil : time
    }
}

/// A PPS device, such as `/dev/pps0`. The kernel takes the time stamps of its pulses.
package final class PulseDevice: Sendable {
    /// The maximum time of one wait, in seconds. The thread ends at most this long after `close()`.
    private static let waitTimeout: CInt = 2

    package let path: String
    private let fd: CInt
    private let edge: Pulse.Edge?
    private let isClosed = Atomic<Bool>(false)

    /// Opens the device. `edge` is `nil` if the leading edge is to be found. Throws `.notFound`,
    /// `.permissionDenied`, `.notADevice` if it is not a PPS device, or `.ioFailed` if it does not
    /// capture this edge.
    package convenience init(_ path: String, edge: Pulse.Edge? = nil) throws(DeviceError) {
        let (rising, falling) = (CInt(CPPS_ASSERT), CInt(CPPS_CLEAR))
        var edges = edge.map { $0 == .assert ? rising : falling } ?? rising | falling
        let fd = cpps_open(path, &edges)
        guard fd >= 0 else {
            throw errno == ENOTTY
                ? DeviceError(
                    .notADevice, device: path, errno: ENOTTY,
                    detail: .reported(
                        "it has no lines for pulses: name a receiver's tty, such as /dev/ttyUSB0, or "
                            + "a PPS device"))
                : DeviceError.opening(path, errno: errno)
        }
        let captured: Pulse.Edge? =
            edges == rising ? .assert : edges == falling ? .clear : nil
        self.init(path, edge: captured, descriptor: fd)
    }

    /// Creates a device that owns an open descriptor, which is not checked.
    package init(_ path: String, edge: Pulse.Edge? = nil, descriptor: CInt) {
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
            var edges = PulseEdges(edge: edge)
            while !isClosed.load(ordering: .relaxed) {
                var (assert, clear) = (cpps_edge(), cpps_edge())
                guard cpps_fetch(fd, Self.waitTimeout, &assert, &clear) == 0 else {
                    let number = errno
                    if number == EINTR || number == ETIMEDOUT && isPresent { continue }
                    return fail(failure(number))
                }
                let offset = Pulse.clockOffset()
                if let pulse = edges.receive(assert: assert, clear: clear, offset: offset) {
                    handle(pulse)
                }
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
