// SPDX-License-Identifier: MIT
import CGPSSerial
package import GNSS
package import GPSIO
import Glibc
import Synchronization

/// An open tty, or the open device of a receiver with a kernel driver. The settings of a tty are
/// restored when it is closed, unless the device is gone, and at `exit`.
package final class SerialConnection: PolledConnection {
    /// The maximum time for a write, including its transmission.
    private static let writeTimeout = Duration.seconds(2)

    private let descriptor: Descriptor
    private let connection: DescriptorConnection
    private let format: CharacterFormat
    private let searchState: Mutex<RateSearch?>

    /// The parameters of the baud rate search; `nil` if the tty has no baud rate, or if it must be
    /// read at the current rate.
    package var search: RateSearch? { searchState.withLock { $0 } }

    /// Whether bytes arrive at the speed of USB regardless of the baud rate. If so, the number of
    /// bytes does not show how long their transmission took.
    package let ignoresBaudRate: Bool

    /// Whether the device is a tty, and not the device of a kernel driver, such as `/dev/gnss0`.
    package let isTTY: Bool

    /// Creates a connection that owns an open tty, and locks it if `isExclusive` is `true`.
    /// `former` contains the settings to restore.
    init(
        _ descriptor: Descriptor, name: String, format: CharacterFormat, isExclusive: Bool,
        ignoresBaudRate: Bool, search: RateSearch?, former: cserial_settings
    ) {
        self.ignoresBaudRate = ignoresBaudRate
        isTTY = former.is_tty
        searchState = Mutex(search)
        self.descriptor = descriptor
        self.format = format
        var settings = former
        OpenLines.add(descriptor, isExclusive: isExclusive, former: &settings)
        let former = settings
        connection = DescriptorConnection(descriptor, name: name, end: .disconnected) { fd in
            withUnsafePointer(to: former) { cserial_restore(fd, $0) }
        }
    }

    deinit {
        connection.close()
        OpenLines.remove(descriptor)
    }

    package var name: String { connection.name }
    package var poller: Poller { descriptor.poller }

    /// The baud rate as reported by the driver, which may differ from the requested rate by
    /// rounding; `nil` if the driver does not report it.
    package var baudRate: BaudRate? {
        descriptor.use { BaudRate(rawValue: Int(cserial_rate($0))) } ?? nil
    }

    /// Sets another baud rate without discarding bytes. Does nothing if the chip does not support
    /// the rate, because the receiver cannot use that rate either.
    ///
    /// Throws `.cancelled` if the connection has been closed, or `.disconnected`.
    package func change(to baudRate: BaudRate) async throws(DeviceError) {
        do throws(DeviceError) {
            try await set(baudRate)
        } catch {
            guard error.code == .configurationFailed else { throw error }
        }
    }

    /// Sets another baud rate without discarding bytes. Throws `.configurationFailed` if the chip
    /// does not support it, `.cancelled`, or `.disconnected`.
    package func set(_ baudRate: BaudRate) async throws(DeviceError) {
        // Some drivers query the device. A slow device must not block the polling thread.
        try await BackgroundExecutor.run { () throws(DeviceError) in try apply(baudRate) }
    }

    /// Stores the line settings that a search has found, and the bytes received during the search.
    /// The connection's next reader receives these bytes first.
    func found(_ rates: RateDetection, _ received: [UInt8]) {
        searchState.withLock { search in
            let found = rates.settings.baudRate
            let others = search?.rates.filter { $0 != found } ?? []
            search?.rates = [found] + others
            search?.format = rates.settings.format
            search?.hasReceivedNoise = rates.hasReceivedNoise
            search?.received = received
        }
    }

    /// Discards bytes that were received but not read. The corresponding C function is `tcflush`.
    package func discardInput() {
        _ = descriptor.use { tcflush($0, TCIFLUSH) }
    }

    /// Makes a pending read receive `.silence` on the polling thread, as if its deadline had
    /// passed.
    func interruptRead() {
        poller.interrupt(descriptor)
    }

    private func apply(_ baudRate: BaudRate) throws(DeviceError) {
        let error = descriptor.use { fd in
            cserial_change(fd, CUnsignedInt(baudRate.rawValue), format.value) == 0 ? 0 : errno
        }
        guard let error else { throw DeviceError(.cancelled, device: name) }
        switch error {
        case 0: return
        // A device that has just been unplugged does not accept settings either.
        case EIO, ENODEV, ENXIO: throw disconnected(error)
        default: throw DeviceError(.configurationFailed, device: name, errno: error)
        }
    }

    /// Writes all of `bytes` and waits, at most two seconds, until the driver has sent them.
    ///
    /// Throws `.permissionDenied` if the tty is open for reading only, `.ioFailed` if the driver
    /// does not accept the bytes in this time, `.disconnected`, or `.cancelled` if the connection
    /// has been closed.
    package func write(_ bytes: [UInt8]) async throws(DeviceError) {
        let end = poller.now + Self.writeTimeout
        let error = await descriptor.write(all: bytes, until: end)
        switch error {
        case 0: break
        case ECANCELED: throw DeviceError(.cancelled, device: name)
        case EIO, ENODEV, ENXIO: throw disconnected(error)
        // The tty was opened only for reading, because of missing permissions.
        case EBADF: throw DeviceError(.permissionDenied, device: name, errno: EACCES)
        default: throw DeviceError(.ioFailed, device: name, errno: error)
        }
        while let unsent = descriptor.use(cserial_unsent), unsent > 0, poller.now < end {
            guard await poller.sleep(until: poller.now + .milliseconds(10)) == .timedOut else {
                throw DeviceError(.cancelled, device: name)
            }
        }
    }

    /// The error for a device that no longer accepts bytes or settings.
    ///
    /// The connection stays open until the reader notices the hang-up. Otherwise, the reader would
    /// throw `.cancelled`, and its session would not wait for the device.
    private func disconnected(_ errno: CInt) -> DeviceError {
        DeviceError(.disconnected, device: name, errno: errno)
    }

    /// Calls `handle` on a separate thread for each pulse on the DCD line, until the returned
    /// object is released.
    ///
    /// Throws `.notADevice` if the tty has no DCD line, `.ioFailed` if waiting for pulses cannot be
    /// started for another reason, or `.cancelled` if the connection has been closed.
    package func pulses(
        _ edge: Pulse.Edge, _ handle: @escaping @Sendable (Pulse) -> Void
    ) throws(DeviceError) -> PulseLine {
        let line = descriptor.use { fd in
            Result { () throws(DeviceError) in
                try PulseLine(fd, name: name, edge: edge, handle)
            }
        }
        guard let line else { throw DeviceError(.cancelled, device: name) }
        return try line.get()
    }

    package func read(
        until deadline: MonotonicInstant?,
        each handle: @escaping @Sendable (DeviceInput) -> Poller.HandlerResult
    ) async throws(DeviceError) {
        try await connection.read(until: deadline, each: handle)
    }

    package func close() {
        connection.close()
    }
}
