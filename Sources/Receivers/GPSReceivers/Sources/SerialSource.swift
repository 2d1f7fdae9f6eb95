// SPDX-License-Identifier: MIT
import CGPSSerial
public import GNSS
package import GPSIO
import Glibc
import Synchronization

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
    func discardInput() {
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
        default: throw DeviceError(of: .configurationFailed, device: name, errno: error)
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
        default: throw DeviceError(of: .ioFailed, device: name, errno: error)
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
        DeviceError(of: .disconnected, device: name, errno: errno)
    }

    /// Searches for pulses on the tty's lines on a separate thread, and calls `handle` with each,
    /// until the returned object is released.
    ///
    /// Throws `.ioFailed` if the thread cannot be started, or `.cancelled` if the connection has
    /// been closed.
    package func pulses(
        _ options: PulseOptions, _ handle: @escaping @Sendable (PulseLine.Event) -> Void
    ) throws(DeviceError) -> PulseLine {
        let line = descriptor.use { fd in
            Result { () throws(DeviceError) in
                try PulseLine(fd, name: name, options: options, handle)
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

/// The settings of a serial line: speed and character format.
public struct LineSettings: Hashable, Sendable, CustomStringConvertible {
    /// The baud rate.
    public var baudRate: BaudRate
    /// The character format: data bits, parity and stop bits.
    public var format: CharacterFormat

    /// Creates settings. The default format is 8N1, which nearly every receiver uses.
    public init(_ baudRate: BaudRate, _ format: CharacterFormat = .eightN1) {
        self.baudRate = baudRate
        self.format = format
    }

    /// The settings as text: `9600 baud` or `4800 baud 7N2`.
    public var description: String {
        switch format {
        case .eightN1: "\(baudRate) baud"
        case .sevenN2: "\(baudRate) baud 7N2"
        }
    }
}

/// The format of a character on a serial line.
public enum CharacterFormat: Sendable {
    /// 8 data bits, no parity, 1 stop bit. Nearly every receiver uses this format.
    case eightN1
    /// 7 data bits, no parity, 2 stop bits.
    case sevenN2
}

/// The speed of a serial line in bits per second.
public struct BaudRate: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The rate in bits per second, 1 to 4,000,000.
    public let rawValue: Int

    /// Creates a rate. Returns `nil` outside 1 to 4,000,000. A rate of 0 would hang up the line.
    public init?(rawValue: Int) {
        guard (1...4_000_000).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    private init(known: Int) { rawValue = known }

    /// 4800 baud, the rate of NMEA 0183 and of many older receivers.
    public static let nmea = BaudRate(known: 4800)
    /// 9600 baud, the initial rate of most receivers.
    public static let `default` = BaudRate(known: 9600)

    /// The common rates of receivers, in the order in which they are tried.
    package static let common: [BaudRate] = [
        9600, 115_200, 38_400, 4800, 57_600, 230_400, 460_800, 921_600, 19_200,
    ].compactMap { BaudRate(rawValue: $0) }

    /// The number: `9600`.
    public var description: String { "\(rawValue)" }
}

extension DeviceSource {
    /// The node that a `SerialSource` names; `nil` for any other source.
    ///
    /// `ttyPath` is not used, because a source that has a USB serial number asks udev for it. That
    /// can wait for a device, and must not delay the polling thread.
    private var namedNode: Node? { (self as? SerialSource).map { Node($0.path) } }

    /// Whether the source is the node of a pseudo terminal, not a link to one.
    var isPseudoTerminal: Bool { namedNode?.absolutePath.hasPrefix("/dev/pts/") ?? false }

    /// The links from the source's path to the node of a pseudo terminal; empty if it is not a path
    /// to one.
    ///
    /// Once the terminal is gone, the kernel may give its number to another program. Until one of
    /// the links is replaced, they point to the terminal of that program.
    var linksToPseudoTerminal: [Node.Link] {
        guard let namedNode, namedNode.isPseudoTerminal else { return [] }
        return namedNode.links
    }
}
