// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO
import Glibc
import Synchronization

/// A receiver of a fleet, whose fixes come by an engine of NATS or MQTT.
///
/// A program of its own reads the engine, `gpsbridge-fleet`: it is looked for beside this program and in `PATH`, runs
/// while the source is read, and sends sentences made of the fixes.
public struct FleetSource: DeviceSource {
    /// As on the command line: `nats://HOST[:PORT]/FLEET/BRIDGE/RECEIVER`.
    public let url: String
    package var poller = Poller.shared
    /// The program, where it is not `gpsbridge-fleet`.
    package var program: String?

    /// The schemes of the addresses: `nats`, `tls`, `mqtt` and `mqtts`.
    package static let schemes = ["nats", "tls", "mqtt", "mqtts"]

    /// How long opening waits for the receiver's name and origin.
    private static let patience = Duration.seconds(3)

    /// Names a receiver; of an address without one it is the first that sends.
    public init(_ url: String) {
        self.url = url
    }

    /// The address.
    public var name: String { url }
    /// Unknown until there is a position: simulated receivers say so in their sentences.
    public var origin: DataOrigin { .unknown }
    /// A member of a fleet.
    public var kind: SourceKind { .fleet }
    /// Equal for the same address.
    public var identity: SourceIdentity { SourceIdentity(url) }

    /// Starts the program.
    ///
    /// Throws `.programMissing`, or `.unreachable` with the program's reason.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        // The program is looked for and started on a disk, which may be slow.
        let child = try await withTaskExecutorPreference(BackgroundExecutor.shared) {
            () async throws(DeviceError) in try start()
        }
        return try await FleetConnection(
            child, name: url, until: poller.now + Self.patience)
    }

    private func start() throws(DeviceError) -> ChildProcess {
        guard let program = program ?? Self.found else {
            throw DeviceError(.programMissing, device: url)
        }
        return try DeviceError.converted(device: url) { () throws(IOError) in
            try ChildProcess(
                program, ["gpsbridge-fleet", "read", "--format", "nmea", url], poller: poller)
        }
    }

    /// Retries at growing intervals.
    public func availability() -> (any DeviceAvailability)? { PeriodicRetry(poller: poller) }

    /// The program beside this one, or in `PATH`.
    private static var found: String? {
        let name = "gpsbridge-fleet"
        var folders: [String] = []
        if let own = Node("/proc/self/exe").linkTarget, let slash = own.lastIndex(of: "/") {
            folders.append(String(own[..<slash]))
        }
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        folders += path.split(separator: ":").map(String.init)
        return folders.map { "\($0)/\(name)" }.first { access(FileName.native($0), X_OK) == 0 }
    }
}

/// Sentences from the program, without its objects: the first says which receiver it is.
private final class FleetConnection: DeviceConnection {
    private let child: ChildProcess
    private let connection: DescriptorConnection
    private let objects = Mutex(FleetLines())
    /// What was read before the name was known.
    private let early: Mutex<[UInt8]>
    let name: String

    /// Waits for the first object, but no longer than until `deadline`.
    init(
        _ child: ChildProcess, name: String, until deadline: MonotonicInstant
    ) async throws(DeviceError) {
        self.child = child
        connection = DescriptorConnection(
            child.output, name: name, chunk: 65_536, end: .disconnected)
        var reader = FleetLines()
        var sentences: [UInt8] = []
        do throws(DeviceError) {
            while reader.device == nil, sentences.isEmpty,
                case .bytes(let bytes) = try await connection.read(until: deadline)
            {
                sentences += reader.sentences(in: bytes)
            }
        } catch {
            child.end()
            throw reader.error(name) ?? error
        }
        self.name = reader.device ?? name
        early = Mutex(sentences)
        objects.withLock { $0 = reader }
    }

    deinit { child.end() }

    func read(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput {
        let waiting = early.withLock { early in
            defer { early = [] }
            return early
        }
        if !waiting.isEmpty { return .bytes(waiting) }
        do throws(DeviceError) {
            while case .bytes(let bytes) = try await connection.read(until: deadline) {
                let sentences = objects.withLock { $0.sentences(in: bytes) }
                if !sentences.isEmpty { return .bytes(sentences) }
            }
            return .silence
        } catch {
            child.end()
            throw objects.withLock { $0.error(name) } ?? error
        }
    }

    func close() {
        connection.close()
        child.end()
    }
}

extension DeviceSource where Self == FleetSource {
    /// A receiver of a fleet: `.fleet("nats://hub/buses/b-7/roof")`.
    public static func fleet(_ url: String) -> FleetSource { FleetSource(url) }
}
