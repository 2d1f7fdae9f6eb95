// SPDX-License-Identifier: MIT
import CGPSSerial
public import GNSS
package import GPSIO
import Glibc

/// A receiver on a serial line. Its path names a tty, a link to a tty, or the device of a receiver
/// with a kernel driver, such as `/dev/gnss0`, which has no line settings.
public struct SerialSource: DeviceSource {
    /// The path as given.
    public private(set) var path: String
    /// The baud rate; `nil` to detect it. It has no effect for a receiver with built-in USB.
    public var baudRate: BaudRate?
    /// The character format of the line.
    public var format: CharacterFormat = .eightN1
    /// Whether other programs are prevented from opening the tty.
    public var isExclusive = true
    /// Stores detected baud rates, so that they are tried first.
    package var memory = RateMemory.shared
    package var poller = Poller.shared
    /// The folder in which the kernel describes its devices.
    package var sysfs = "/sys"
    private let replugs = DeviceTracker()

    /// Creates a source; `open()` opens the tty.
    public init(_ path: String, baudRate: BaudRate? = nil) {
        self.path = path
        self.baudRate = baudRate
    }

    /// The path as given.
    public var name: String { path }
    /// The origin: live, or unknown for a pseudo terminal, to which any program may write.
    public var origin: DataOrigin {
        Node(path).isPseudoTerminal ? .unknown : .live
    }
    /// The identity: equal for all paths and links to the same tty.
    public var identity: SourceIdentity { SourceIdentity(path: path) }
    /// The capabilities of a serial line. If the path is a name that udev reserves for one device,
    /// a session can also wait until that device is plugged in.
    public var capabilities: SourceCapabilities {
        DeviceSources.isPersistentName(path) ? [.serialLine, .hotPlug] : .serialLine
    }
    /// The path as given.
    public var ttyPath: String? { path }

    /// Opens the tty, locks it, and sets raw mode at the baud rate, by default 9600. Nothing is
    /// written to it. A device with a kernel driver, such as `/dev/gnss0`, is only locked.
    ///
    /// Throws `.notFound`, `.permissionDenied` (with the group that has access), `.busy` (with the
    /// process that holds it), `.isDirectory`, `.notADevice` if it is neither a tty nor such
    /// a device, `.configurationFailed`, or `.ioFailed`.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        try await openLine()
    }

    /// Opens the tty like `open()`, and returns the concrete type.
    package func openLine() async throws(DeviceError) -> SerialConnection {
        // Some drivers query the device when it is opened. A slow device must not block the polling
        // thread.
        try await BackgroundExecutor.run { () throws(DeviceError) in try connect() }
    }

    /// Opens the tty for a reader that detects the baud rate if none is set. The search tries the
    /// stored rate first, then `BaudRate.common`. 7N2 is detected at any rate, even at a fixed one.
    /// There is no search for receivers without a baud rate. If the receiver was opened before and
    /// is now connected as another tty, that tty is opened (`followsReceiver`). If it is absent and
    /// another device has its name, throws `.notFound`.
    public func openToListen() async throws(DeviceError) -> any DeviceConnection {
        try await BackgroundExecutor.run(openCurrentTTY)
    }

    /// Whether to open the receiver again if it returns as another tty. Only `true` for a name such
    /// as `/dev/ttyUSB0`, which may then belong to another device. A link, for example one that
    /// names a USB port, always refers to its current target.
    package var followsReceiver: Bool {
        path.hasPrefix("/dev/tty") && Node(path).linkTarget == nil
    }

    /// Opens the tty to which the receiver is connected now.
    private func openCurrentTTY() throws(DeviceError) -> SerialConnection {
        let isFollowed = followsReceiver
        let device = try isFollowed ? replugs.device(at: path) : DeviceDiscovery.device(at: path)
        var present = self
        if isFollowed, let device { present.path = device.path }
        do throws(DeviceError) {
            let connection = try present.listen(to: device)
            replugs.follow(device)
            return connection
        } catch {
            // If this process already has the tty open, its session will be shared.
            if error.code == .busy { replugs.follow(device) }
            throw error
        }
    }

    /// Opens the tty of a device, with a search for the baud rate: only at the fixed rate, or at
    /// all rates if none is set. A device without a baud rate is opened without a search. `device` is
    /// `nil` if udev does not know the tty.
    package func listen(to device: DiscoveredDevice?) throws(DeviceError) -> SerialConnection {
        guard device?.hasNoBaudRate != true, !Node(path).isGNSSDevice(sysfs: sysfs) else {
            return try connect()
        }
        let key = device?.key
        let last = baudRate ?? key.flatMap { memory.settings(of: $0)?.baudRate }
        let others = baudRate == nil ? BaudRate.common.filter { $0 != last } : []
        var search = RateSearch(rates: (last.map { [$0] } ?? []) + others)
        search.remember = { [memory] settings in
            if let key { memory.remember(settings, of: key) }
        }
        var first = self
        first.baudRate = search.rates.first
        return try first.connect(search, to: device)
    }

    /// Opens the tty at `baudRate` (9600 if `nil`) on the current thread. `search` is stored in the
    /// connection for its reader. `device` is `nil` if udev does not know the tty.
    package func connect(
        _ search: RateSearch? = nil, to device: DiscoveredDevice? = nil
    ) throws(DeviceError) -> SerialConnection {
        switch try DeviceError.converted(Node(path).kind) {
        case .characterDevice where Node(path).isOwnTerminal:
            throw DeviceError(.ownTerminal, device: path)
        case .characterDevice: break
        case .folder: throw DeviceError(.isDirectory, device: path)
        default: throw DeviceError(.notADevice, device: path)
        }
        return try OpenLines.opening(path) { () throws(DeviceError) in try open(search, to: device)
        }
    }

    private func open(
        _ search: RateSearch?, to device: DiscoveredDevice?
    ) throws(DeviceError) -> SerialConnection {
        var former = cserial_settings()
        let driver = Node(path).driver
        let fd: CInt
        if Node(path).isGNSSDevice(sysfs: sysfs) {
            fd = cserial_open_gnss(FileName.native(path), isExclusive, &former)
        } else {
            let rate = CUnsignedInt((baudRate ?? .default).rawValue)
            fd = cserial_open(
                FileName.native(path), rate, format.value, isExclusive, &former)
        }
        guard fd >= 0 else { throw DeviceError.opening(path, errno: errno) }
        if driver == "ftdi_sio" {
            cserial_low_latency(fd, &former)  // the chip buffers for 16 ms otherwise
        }
        return SerialConnection(
            Descriptor(fd, poller: poller), name: path, format: format, isExclusive: isExclusive,
            ignoresBaudRate: Self.ignoresBaudRate(driver, device?.converter), search: search,
            former: former)
    }

    /// Returns whether bytes arrive at the speed of USB regardless of the baud rate. All devices
    /// with the driver `cdc_acm` are assumed to have built-in USB, except known converters.
    package static func ignoresBaudRate(
        _ driver: String?, _ converter: GenericConverter?
    ) -> Bool {
        driver == "cdc_acm" && converter == nil
    }

    /// Returns an object that watches all folders of the path and, for a link, also those of the
    /// tty's path. For a path such as `/dev/ttyUSB0`, the object also waits for udev's events,
    /// because the receiver may return as another tty.
    public func availability() -> (any DeviceAvailability)? {
        let own = PathAvailability(path, poller: poller)
        guard path.hasPrefix("/dev/tty") else { return own }
        return EitherAvailability(one: own, other: FirstReceiverSource.udevAvailability(poller))
    }
}

extension CharacterFormat {
    var value: cserial_format {
        switch self {
        case .eightN1: CSERIAL_8N1
        case .sevenN2: CSERIAL_7N2
        }
    }
}

extension DeviceSource where Self == SerialSource {
    /// A receiver on a serial line, such as `/dev/ttyUSB0` or a link in `/dev/serial/by-id`.
    ///
    /// The baud rate is detected if none is given.
    public static func serial(_ path: String, baudRate: BaudRate? = nil) -> SerialSource {
        SerialSource(path, baudRate: baudRate)
    }
}

/// Waits until one of two availabilities returns.
private struct EitherAvailability: DeviceAvailability {
    let one: any DeviceAvailability
    let other: any DeviceAvailability

    func next(until deadline: MonotonicInstant?) async {
        await withTaskGroup(of: Void.self) { [one, other] group in
            group.addTask { await one.next(until: deadline) }
            group.addTask { await other.next(until: deadline) }
            await group.next()
            group.cancelAll()
        }
    }
}
