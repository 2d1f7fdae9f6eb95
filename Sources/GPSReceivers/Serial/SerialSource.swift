// SPDX-License-Identifier: MIT
import CGPSSerial
public import GNSS
package import GPSIO
import Glibc
import Synchronization

/// A receiver on a serial line: a tty, or a link to one.
public struct SerialSource: DeviceSource {
    /// The path as given.
    public private(set) var path: String
    /// The line's speed; nil to find it by listening. A receiver with USB of its own has none.
    public var baudRate: BaudRate?
    /// How a character looks on the line.
    public var format: CharacterFormat = .eightN1
    /// Whether other programs are kept from opening the tty.
    public var isExclusive = true
    /// Where rates that have been found are stored.
    package var memory = RateMemory.shared
    package var poller = Poller.shared
    private let replugs = ReplugTracker()

    /// Creates a source; `open()` opens the tty.
    public init(_ path: String, baudRate: BaudRate? = nil) {
        self.path = path
        self.baudRate = baudRate
    }

    /// The path as given.
    public var name: String { path }
    /// Live; unknown at a pseudo terminal, into which any program may write.
    public var origin: DataOrigin {
        SourceIdentity(path: path).description.hasPrefix("/dev/pts") ? .unknown : .live
    }
    /// The tty itself, whatever link leads to it now.
    public var identity: SourceIdentity { SourceIdentity(path: path) }
    /// A serial line; by a name that udev keeps for a receiver it is waited for.
    public var capabilities: SourceCapabilities {
        DeviceSources.isLasting(path) ? [.serialLine, .hotPlug] : .serialLine
    }
    /// The path as given.
    public var ttyPath: String? { path }

    /// Opens the tty, locks it, and sets raw mode at the rate, or at 9600 baud where none is given;
    /// nothing is ever written to it.
    ///
    /// Throws `.notFound`, `.permissionDenied` (with the group that may), `.busy` (with the holder),
    /// `.isDirectory`, `.notADevice` for what is no tty, `.configurationFailed`, `.ioFailed`.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        try await openLine()
    }

    /// The same, as what it is.
    package func openLine() async throws(DeviceError) -> SerialConnection {
        // Drivers ask the device when opened and set up: a slow one must not hold up the others.
        try await withTaskExecutorPreference(BackgroundExecutor.shared) {
            () async throws(DeviceError) in try connect()
        }
    }

    /// The same, but a rate that is not given is found by listening: that of last time first, then
    /// `BaudRate.usual`; 7N2 is recognised at any, a given one too. Receivers that have no rate are not
    /// listened to. A receiver that has been
    /// opened before by this source, and is plugged in again as another tty, is opened there.
    public func openToListen() async throws(DeviceError) -> any DeviceConnection {
        try await withTaskExecutorPreference(BackgroundExecutor.shared) {
            () async throws(DeviceError) in try openWhereItIsNow()
        }
    }

    /// Opens the tty under the name that the receiver has now.
    private func openWhereItIsNow() throws(DeviceError) -> SerialConnection {
        let device = replugs.device(at: path)
        var present = self
        // A link is followed wherever it leads; the kernel's names are given to the next device.
        if let device, Node(path).linkTarget == nil { present.path = device.path }
        do throws(DeviceError) {
            let connection = try present.listen(to: device)
            replugs.follow(device)
            return connection
        } catch {
            // If this process reads it already, it will be shared.
            if error.code == .busy { replugs.follow(device) }
            throw error
        }
    }

    /// Opens what udev knows as a device, to be listened to: at the rate that is given, or at all of them.
    package func listen(to device: DiscoveredDevice?) throws(DeviceError) -> SerialConnection {
        guard device?.hasNoBaudRate != true else { return try connect() }
        let key = device?.key
        let last = baudRate ?? key.flatMap { memory.settings(of: $0)?.baudRate }
        let others = baudRate == nil ? BaudRate.usual.filter { $0 != last } : []
        var search = RateSearch(rates: (last.map { [$0] } ?? []) + others)
        search.remember = { [memory] settings in
            if let key { memory.remember(settings, of: key) }
        }
        var first = self
        first.baudRate = search.rates.first
        return try first.connect(search)
    }

    /// Opens the tty at its rate.
    package func connect(_ search: RateSearch? = nil) throws(DeviceError) -> SerialConnection {
        switch try DeviceError.converted(Node(path).kind) {
        case .characterDevice where Node(path).isOwnTerminal:
            throw DeviceError(.ownTerminal, device: path)
        case .characterDevice: break
        case .folder: throw DeviceError(.isDirectory, device: path)
        default: throw DeviceError(.notADevice, device: path)
        }
        var former = cserial_settings()
        let fd = cserial_open(
            path, CUnsignedInt((baudRate ?? .default).rawValue), format.value, isExclusive, &former)
        guard fd >= 0 else { throw DeviceError.opening(path, errno: errno) }
        if Node(path).driver == "ftdi_sio" {
            cserial_low_latency(fd)  // collects for 16 ms otherwise
        }
        return SerialConnection(
            Descriptor(fd, poller: poller), name: path, format: format, isExclusive: isExclusive,
            search: search, former: former)
    }

    /// Watches the folders of the path, and of the tty if the path is a link; for a tty that may come
    /// back under another name, udev, too.
    public func availability() -> (any DeviceAvailability)? {
        let own = PathAvailability(path, poller: poller)
        guard path.hasPrefix("/dev/tty") else { return own }
        return EitherAvailability(one: own, other: FirstReceiverSource.newcomers(poller))
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
    /// Without a rate it is found by listening.
    public static func serial(_ path: String, baudRate: BaudRate? = nil) -> SerialSource {
        SerialSource(path, baudRate: baudRate)
    }
}

/// Reports when either of two reports.
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

/// Remembers which device a path led to, so that it is found again if it comes back as another tty.
private final class ReplugTracker: Sendable {
    private let key = Mutex<String?>(nil)

    /// The device that a path leads to, or led to before; `nil` where udev knows none.
    func device(at path: String) -> DiscoveredDevice? {
        let there = DeviceDiscovery.device(at: path)
        let key = key.withLock { $0 }
        guard let key, there?.key != key else { return there }
        return DeviceDiscovery.devices().first { $0.key == key } ?? there
    }

    /// Remembers a device that has been opened.
    func follow(_ device: DiscoveredDevice?) {
        guard let new = device?.key else { return }
        key.withLock { $0 = new }
    }
}
