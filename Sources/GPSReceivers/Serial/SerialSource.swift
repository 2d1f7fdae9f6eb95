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
    /// The line's rate; `nil` to detect it. A receiver with built-in USB has none.
    public var baudRate: BaudRate?
    /// The character format of the line.
    public var format: CharacterFormat = .eightN1
    /// Whether other programs are prevented from opening the tty.
    public var isExclusive = true
    /// The memory of detected rates.
    package var memory = RateMemory.shared
    package var poller = Poller.shared
    private let replugs = DeviceTracker()

    /// Creates a source; `open()` opens the tty.
    public init(_ path: String, baudRate: BaudRate? = nil) {
        self.path = path
        self.baudRate = baudRate
    }

    /// The path as given.
    public var name: String { path }
    /// Live; unknown for a pseudo terminal, to which any program may write.
    public var origin: DataOrigin {
        SourceIdentity(path: path).description.hasPrefix("/dev/pts") ? .unknown : .live
    }
    /// The tty, independent of links.
    public var identity: SourceIdentity { SourceIdentity(path: path) }
    /// A serial line. With a name that udev keeps for one device, it is waited for.
    public var capabilities: SourceCapabilities {
        DeviceSources.isPersistentName(path) ? [.serialLine, .hotPlug] : .serialLine
    }
    /// The path as given.
    public var ttyPath: String? { path }

    /// Opens the tty, locks it, and sets raw mode at the rate, 9600 baud by default. Nothing is
    /// written to it.
    ///
    /// Throws `.notFound`, `.permissionDenied` (with the group that has access), `.busy` (with the
    /// process that holds it), `.isDirectory`, `.notADevice` if it is not a tty,
    /// `.configurationFailed`, or `.ioFailed`.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        try await openLine()
    }

    /// Opens the tty as `open()` does; returns the concrete type.
    package func openLine() async throws(DeviceError) -> SerialConnection {
        // Some drivers query the device when it is opened; a slow one must not delay other
        // receivers.
        try await withTaskExecutorPreference(BackgroundExecutor.shared) {
            () async throws(DeviceError) in try connect()
        }
    }

    /// Opens the tty for a reader that detects the rate if none is given: the remembered one first,
    /// then `BaudRate.common`. 7N2 is detected at any rate, also at a given one. Receivers without a
    /// rate are read as they are. A receiver opened before by this source that is plugged in again
    /// as another tty is opened there.
    public func openToListen() async throws(DeviceError) -> any DeviceConnection {
        try await withTaskExecutorPreference(BackgroundExecutor.shared) {
            () async throws(DeviceError) in try openCurrentTTY()
        }
    }

    /// Opens the receiver's current tty.
    private func openCurrentTTY() throws(DeviceError) -> SerialConnection {
        let device = replugs.device(at: path)
        var present = self
        // A link is followed to its current tty. The kernel reuses its own names for other devices.
        if let device, Node(path).linkTarget == nil { present.path = device.path }
        do throws(DeviceError) {
            let connection = try present.listen(to: device)
            replugs.follow(device)
            return connection
        } catch {
            // If this process has it open, the session is shared.
            if error.code == .busy { replugs.follow(device) }
            throw error
        }
    }

    /// Opens the tty of a device with a search for its rate, which is the given one or all.
    package func listen(to device: DiscoveredDevice?) throws(DeviceError) -> SerialConnection {
        guard device?.hasNoBaudRate != true else { return try connect() }
        let key = device?.key
        let last = baudRate ?? key.flatMap { memory.settings(of: $0)?.baudRate }
        let others = baudRate == nil ? BaudRate.common.filter { $0 != last } : []
        var search = RateSearch(rates: (last.map { [$0] } ?? []) + others)
        search.remember = { [memory] settings in
            if let key { memory.remember(settings, of: key) }
        }
        var first = self
        first.baudRate = search.rates.first
        return try first.connect(search)
    }

    /// Opens the tty at its rate, without changing threads.
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
            cserial_low_latency(fd)  // the chip buffers for 16 ms otherwise
        }
        return SerialConnection(
            Descriptor(fd, poller: poller), name: path, format: format, isExclusive: isExclusive,
            search: search, former: former)
    }

    /// Watches the folders of the path and, for a link, those of its tty. A tty that may come back
    /// under another name is also watched by udev.
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
    /// The rate is detected if none is given.
    public static func serial(_ path: String, baudRate: BaudRate? = nil) -> SerialSource {
        SerialSource(path, baudRate: baudRate)
    }
}

/// Reports when one of two availabilities does.
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

/// Remembers the device to which a path led, to find it again as another tty.
private final class DeviceTracker: Sendable {
    private let key = Mutex<String?>(nil)

    /// Returns the device to which a path leads or led; `nil` if udev knows none.
    func device(at path: String) -> DiscoveredDevice? {
        let there = DeviceDiscovery.device(at: path)
        let key = key.withLock { $0 }
        guard let key, there?.key != key else { return there }
        return DeviceDiscovery.devices().first { $0.key == key } ?? there
    }

    /// Stores a device that has been opened.
    func follow(_ device: DiscoveredDevice?) {
        guard let new = device?.key else { return }
        key.withLock { $0 = new }
    }
}
