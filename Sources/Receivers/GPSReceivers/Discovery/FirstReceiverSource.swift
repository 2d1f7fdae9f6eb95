// SPDX-License-Identifier: MIT
public import GNSS
import GPSIO
import Glibc
import Synchronization

/// The first receiver that is plugged in: a device with the USB id of a receiver or, if there is
/// none, a device that sends messages.
public struct FirstReceiverSource: DeviceSource {
    /// The baud rate, for receivers that are connected by a converter; `nil` to detect it.
    public var baudRate: BaudRate?
    private var poller = Poller.shared

    /// Candidates that did not send messages. They are not opened again, because opening resets
    /// some devices.
    private let rejected = RejectedCandidates()

    /// Creates a source. The receiver may be plugged in later.
    package init(baudRate: BaudRate? = nil) {
        self.baudRate = baudRate
    }

    /// The name of the source: `any receiver`.
    public var name: String { "any receiver" }
    /// The origin: live, from a connected receiver.
    public var origin: DataOrigin { .live }
    /// The capabilities: a serial line, and a receiver that may be plugged in later.
    public var capabilities: SourceCapabilities { [.serialLine, .hotPlug, .selectsDevice] }
    /// The identity: equal for all sources of this type, because they would open the same receiver.
    public var identity: SourceIdentity { .anyReceiver }

    /// Opens the first recognised receiver that can be opened.
    ///
    /// Throws `.noReceiver` if no recognised receiver is plugged in; otherwise the error of
    /// `SerialSource` for the first one.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        try await BackgroundExecutor.run { () throws(DeviceError) in
            try known { device throws(DeviceError) in
                try serial(device).connect()
            }
        }
    }

    /// Opens the first recognised receiver that can be opened, for a reader that detects the baud
    /// rate. If none is plugged in, reads all candidates at the same time for about ten seconds,
    /// and returns the first one that sends messages. Each candidate is read only once while it
    /// stays plugged in.
    public func openToListen() async throws(DeviceError) -> any DeviceConnection {
        try await withTaskExecutorPreference(BackgroundExecutor.shared) {
            () async throws(DeviceError) in
            do throws(DeviceError) {
                return try known(sharing: true) { device throws(DeviceError) in
                    try serial(device).listen(to: device)
                }
            } catch {
                guard error.code == .noReceiver else { throw error }
                return try await candidate()
            }
        }
    }

    /// Returns an object that waits until a tty of a USB device appears or changes. It uses udev's
    /// events or, without access to them, changes in `/dev`.
    public func availability() -> (any DeviceAvailability)? {
        Self.udevAvailability(poller)
    }

    static func udevAvailability(_ poller: Poller) -> any DeviceAvailability {
        UdevAvailability() ?? DeviceFolderAvailability(poller: poller)
    }

    private func serial(_ device: DiscoveredDevice) -> SerialSource {
        var source = SerialSource(device.path, baudRate: baudRate)
        source.poller = poller
        return source
    }

    private func known(
        sharing: Bool = false,
        _ open: (DiscoveredDevice) throws(DeviceError) -> any DeviceConnection
    ) throws(DeviceError) -> any DeviceConnection {
        var failure: DeviceError?
        for receiver in DeviceDiscovery.receivers() where receiver.sendsNMEA {
            do {
                return try open(receiver)
            } catch {
                // If this process already has the receiver open, its session will be shared.
                if sharing, case .heldBy(_, Int(getpid())) = error.detail { throw error }
                failure = failure ?? error
            }
        }
        throw failure ?? DeviceError(.noReceiver, device: name)
    }

    private func candidate() async throws(DeviceError) -> any DeviceConnection {
        let candidates = rejected.untried(of: DeviceDiscovery.candidates())
        let search = CandidateSearch(baudRate: baudRate, poller: poller)
        let finding = await search.search(candidates)
        guard !Task.isCancelled else { throw DeviceError(.cancelled, device: name) }
        switch finding {
        case .receiver(let connection): return connection
        case .receiverAppeared: throw DeviceError(.noReceiver, device: name)
        case .none(let silent, let failure):
            let all = rejected.add(silent).map(\.path).sorted()
            // Such a device may be read later: its node or permissions may appear late, or another
            // program may only be probing it.
            if let failure { throw failure }
            let detail = all.isEmpty ? nil : DeviceError.Detail.notUnderstood(all)
            throw DeviceError(.noReceiver, device: name, detail: detail)
        }
    }
}

/// The former name of `FirstReceiverSource`, in version 0.1.0.
@available(*, deprecated, renamed: "FirstReceiverSource")
package typealias AnyReceiverSource = FirstReceiverSource

extension DeviceSource where Self == FirstReceiverSource {
    /// The first receiver that is plugged in, now or later.
    public static var any: FirstReceiverSource { FirstReceiverSource() }
}

/// Stores the devices that were read but sent no messages, as long as they are plugged in.
private final class RejectedCandidates: Sendable {
    private let devices = Mutex<Set<DiscoveredDevice>>([])

    /// Returns the present devices that have not been read. Forgets devices that are no longer
    /// present.
    func untried(of present: [DiscoveredDevice]) -> [DiscoveredDevice] {
        devices.withLock { devices in
            devices.formIntersection(present)
            return present.filter { !devices.contains($0) }
        }
    }

    /// Stores more devices, and returns all stored devices.
    func add(_ tried: [DiscoveredDevice]) -> Set<DiscoveredDevice> {
        devices.withLock { devices in
            devices.formUnion(tried)
            return devices
        }
    }
}

/// The receiver with a given USB serial number, regardless of the name of its tty.
///
/// If the device has several ttys, the first one that is expected to send NMEA is used, otherwise
/// the first one.
public struct USBSerialNumberSource: DeviceSource {
    /// The USB serial number, as `gpsbridge list` shows it.
    private let serialNumber: String
    /// The baud rate, for receivers that are connected by a converter; `nil` to detect it.
    public var baudRate: BaudRate?
    private var poller = Poller.shared

    /// Creates a source. The receiver may be plugged in later.
    package init(serialNumber: String, baudRate: BaudRate? = nil) {
        self.serialNumber = serialNumber
        self.baudRate = baudRate
    }

    /// The name on the command line: `serial:0001`.
    public var name: String { "serial:\(serialNumber)" }
    /// The origin: live, from a connected receiver.
    public var origin: DataOrigin { .live }
    /// The capabilities: a serial line, and a receiver that may be plugged in later.
    public var capabilities: SourceCapabilities { [.serialLine, .hotPlug, .selectsDevice] }
    /// The path of the receiver's current tty according to udev; `nil` if it is not plugged in.
    public var ttyPath: String? { device?.path }

    /// Opens the receiver's tty.
    ///
    /// Throws `.notFound` if no device with the serial number is plugged in, or the errors of
    /// `SerialSource`.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        try await source().open()
    }

    /// Opens the receiver's tty, and searches for its baud rate if `baudRate` is `nil`.
    public func openToListen() async throws(DeviceError) -> any DeviceConnection {
        try await source().openToListen()
    }

    /// Returns an object that waits until a tty of a USB device appears or changes. It uses udev's
    /// events or, without access to them, changes in `/dev`.
    public func availability() -> (any DeviceAvailability)? {
        FirstReceiverSource.udevAvailability(poller)
    }

    private func source() async throws(DeviceError) -> SerialSource {
        let device = await BackgroundExecutor.run { self.device }
        guard let device else { throw DeviceError(.notFound, device: name) }
        var source = SerialSource(device.path, baudRate: baudRate)
        source.poller = poller
        return source
    }

    private var device: DiscoveredDevice? {
        let own = DeviceDiscovery.devices().filter { $0.serialNumber == serialNumber }
        return own.first(where: \.sendsNMEA) ?? own.min { $0.order < $1.order }
    }
}

extension DiscoveredDevice {
    fileprivate var order: (Int, Int) { (interfaceNumber ?? 0, serialPortNumber ?? 0) }
}

extension DeviceSource where Self == USBSerialNumberSource {
    /// The receiver with a given USB serial number.
    public static func device(
        serial serialNumber: String, baudRate: BaudRate? = nil
    ) -> USBSerialNumberSource {
        USBSerialNumberSource(serialNumber: serialNumber, baudRate: baudRate)
    }
}
