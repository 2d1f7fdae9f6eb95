// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO
import Glibc
import Synchronization

/// The first receiver that is plugged in: one known by its USB id, or else a device that sends
/// NMEA.
public struct FirstReceiverSource: DeviceSource {
    /// The line's rate, for receivers behind a converter; `nil` to detect it.
    public var baudRate: BaudRate?
    package var poller = Poller.shared

    /// Candidates that are not receivers. Opening some devices again would reset them.
    private let rejected = RejectedCandidates()

    /// Creates a source; the receiver need not be plugged in yet.
    public init(baudRate: BaudRate? = nil) {
        self.baudRate = baudRate
    }

    /// `any receiver`.
    public var name: String { "any receiver" }
    /// Live: a connected receiver.
    public var origin: DataOrigin { .live }
    /// A serial line that is waited for.
    public var capabilities: SourceCapabilities { [.serialLine, .hotPlug] }
    /// Equal for all of these sources: they would open the same receiver.
    public var identity: SourceIdentity { .anyReceiver }

    /// Opens the first known receiver that can be opened.
    ///
    /// Throws `.noReceiver` if there is none, else the error of `SerialSource` for the first.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        try await withTaskExecutorPreference(BackgroundExecutor.shared) {
            () async throws(DeviceError) in
            try known { device throws(DeviceError) in
                try serial(device).connect()
            }
        }
    }

    /// Opens the first known receiver with a search for its rate. If there is none, reads all
    /// candidates at once, each once, for about ten seconds.
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

    /// Waits for udev events; without access to them, watches `/dev`.
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
                // If this process has it open, its session is shared.
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
            // The next attempt may succeed: a node or its permissions may come late, or another
            // program may be probing the device.
            if let failure { throw failure }
            let detail = all.isEmpty ? nil : DeviceError.Detail.notUnderstood(all)
            throw DeviceError(.noReceiver, device: name, detail: detail)
        }
    }
}

/// The name of `FirstReceiverSource` in 0.1.0.
@available(*, deprecated, renamed: "FirstReceiverSource")
public typealias AnyReceiverSource = FirstReceiverSource

extension DeviceSource where Self == FirstReceiverSource {
    /// The first receiver that is plugged in, or will be.
    public static var any: FirstReceiverSource { FirstReceiverSource() }
}

/// Devices that have been listened to without finding a receiver; kept while they stay plugged in.
private final class RejectedCandidates: Sendable {
    private let devices = Mutex<Set<DiscoveredDevice>>([])

    /// The devices that have not been listened to; forgets those that have been unplugged.
    func untried(of present: [DiscoveredDevice]) -> [DiscoveredDevice] {
        devices.withLock { devices in
            devices.formIntersection(present)
            return present.filter { !devices.contains($0) }
        }
    }

    /// Adds devices and returns all of them.
    func add(_ tried: [DiscoveredDevice]) -> Set<DiscoveredDevice> {
        devices.withLock { devices in
            devices.formUnion(tried)
            return devices
        }
    }
}
