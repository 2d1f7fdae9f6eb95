// SPDX-License-Identifier: MIT
import GNSS
package import GPSIO
import Glibc
import Synchronization

/// A receiver of a fleet. Its fixes arrive by NATS or MQTT.
///
/// A separate program, `gpsbridge-fleet`, connects to the server and converts the fixes to
/// sentences. It is searched for in this program's folder and in `PATH`, and runs while the source
/// is being read.
public struct FleetSource: DeviceSource {
    /// The address as given on the command line: `nats://HOST[:PORT]/FLEET/BRIDGE/RECEIVER`.
    private let url: String
    package var poller = Poller.shared
    /// The path of the program; `nil` to search for `gpsbridge-fleet`.
    package var program: String?
    /// Whether the member's corrections (RTCM 3) are read, instead of its fixes.
    package var readsCorrections = false

    /// The schemes of the addresses: `nats`, `tls`, `mqtt` and `mqtts`.
    package static let schemes = ["nats", "tls", "mqtt", "mqtts"]

    /// The maximum time that `ephemerides()` waits for an answer.
    private static let answerTime = Duration.seconds(4)

    /// The maximum time that `open()` waits for the receiver's name and origin.
    private static let openTimeout = Duration.seconds(3)

    /// Creates a source. An address without a receiver selects the first receiver that sends.
    package init(_ url: String) {
        self.url = url
    }

    /// The address as given.
    public var name: String { url }
    /// A member's corrections are another source than its fixes.
    public var identity: SourceIdentity {
        SourceIdentity(readsCorrections ? "corrections of \(url)" : url)
    }
    /// The kind of source: a receiver of a fleet.
    public var kind: SourceKind { .fleet }
    /// A reader finds the device on the server.
    public var capabilities: SourceCapabilities { .selectsDevice }

    /// Starts `gpsbridge-fleet`, and waits up to three seconds for the receiver's name.
    ///
    /// Throws `.programMissing` if the program is not found, or `.unreachable` with the error that
    /// the program reports.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        // Searching for the program and starting it may wait for a slow disk.
        let child = try await BackgroundExecutor.run { () throws(DeviceError) in
            try start(reading: readsCorrections ? "rtcm" : "nmea")
        }
        return try await FleetConnection(
            child, FleetOutput(isBinary: readsCorrections), name: url,
            until: poller.now + Self.openTimeout)
    }

    /// Asks the members of the fleet that share their ephemerides, for four seconds at most. Returns
    /// the text of a RINEX navigation file.
    ///
    /// Throws `.programMissing`, or `.invalidSource` with the reason that the program reports.
    package func ephemerides() async throws(DeviceError) -> String {
        let child = try await BackgroundExecutor.run { () throws(DeviceError) in
            try start(reading: "rinex-nav")
        }
        defer { child.end() }
        let connection = DescriptorConnection(
            child.output, name: url, chunk: 65_536, end: .disconnected)
        var output = FleetOutput()
        var text: [UInt8] = []
        let deadline = poller.now + Self.answerTime
        do throws(DeviceError) {
            while case .bytes(let bytes) = try await connection.read(until: deadline) {
                text += output.content(of: bytes)
            }
        } catch {
            // The program has ended.
            guard error.code == .disconnected else { throw error }
        }
        guard output.reason == nil, !text.isEmpty else {
            let reason = output.reason ?? "no answer in time"
            throw DeviceError(.invalidSource, device: url, detail: .reported(reason))
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func start(reading format: String) throws(DeviceError) -> ChildProcess {
        guard let program = program ?? Self.installedProgram else {
            throw DeviceError(.programMissing, device: url)
        }
        return try DeviceError.converted(device: url) { () throws(IOError) in
            try ChildProcess(
                program, ["gpsbridge-fleet", "read", "--format", format, url],
                getsAccess: true, poller: poller)
        }
    }

    /// Returns an object that ends each wait after 30 seconds, because a server cannot be watched.
    /// A session tries to open the source again at growing intervals of at most 30 seconds.
    public func availability() -> (any DeviceAvailability)? { PeriodicRetry(poller: poller) }

    /// The path of `gpsbridge-fleet` in this program's folder or in `PATH`; `nil` if it is not
    /// found.
    package static var installedProgram: String? {
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

/// Reads sentences or corrections from a running `gpsbridge-fleet`. If its first JSON object contains
/// the receiver's name, the connection has that name.
private final class FleetConnection: DeviceConnection {
    private let child: ChildProcess
    private let connection: DescriptorConnection
    private let output: Mutex<FleetOutput>
    /// Content received while waiting for the receiver's name. The first call of `read` returns
    /// them.
    private let early: EarlyBytes
    let name: String

    /// Waits for the first JSON object or content until `deadline`.
    init(
        _ child: ChildProcess, _ output: FleetOutput, name: String, until deadline: MonotonicInstant
    ) async throws(DeviceError) {
        self.child = child
        connection = DescriptorConnection(
            child.output, name: name, chunk: 65_536, end: .disconnected)
        var output = output
        var content: [UInt8] = []
        do throws(DeviceError) {
            while output.device == nil, content.isEmpty,
                case .bytes(let bytes) = try await connection.read(until: deadline)
            {
                content += output.content(of: bytes)
            }
        } catch {
            child.end()
            throw output.error(name) ?? error
        }
        self.name = output.device ?? name
        early = EarlyBytes(content)
        self.output = Mutex(output)
    }

    deinit { child.end() }

    func read(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput {
        if let input = early.take() { return input }
        do throws(DeviceError) {
            while case .bytes(let bytes) = try await connection.read(until: deadline) {
                let content = output.withLock { $0.content(of: bytes) }
                if !content.isEmpty { return .bytes(content) }
            }
            return .silence
        } catch {
            child.end()
            throw output.withLock { $0.error(name) } ?? error
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

/// Separates the output of `gpsbridge-fleet read` into JSON objects and the content: lines, or binary
/// data, which no object follows. The objects contain the receiver's name, and the error if the
/// program ends with one.
private struct FleetOutput {
    /// The receiver's name, followed by its origin in parentheses unless that is live; `nil` until
    /// it is received.
    private(set) var device: String?
    private(set) var reason: String?
    private let isBinary: Bool
    /// Whether binary data has begun.
    private var hasData = false
    private var line: [UInt8] = []
    /// The maximum length of a line in bytes. The program does not write longer objects.
    private static let limit = 65_536

    init(isBinary: Bool = false) { self.isBinary = isBinary }

    /// Processes a chunk of bytes. JSON objects, one per line, are evaluated and removed. Returns
    /// the other complete lines, or the binary data.
    mutating func content(of bytes: [UInt8]) -> [UInt8] {
        if hasData { return bytes }
        var lines: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if isBinary, line.isEmpty, byte != UInt8(ascii: "{") {
                hasData = true
                return Array(bytes[index...])
            }
            line.append(byte)
            guard byte == 0x0A || line.count > Self.limit else { continue }
            if line.first == UInt8(ascii: "{") { take(line) } else { lines += line }
            line.removeAll(keepingCapacity: true)
        }
        return lines
    }

    private mutating func take(_ object: [UInt8]) {
        var members: [String: JSONScalar] = [:]
        // If an object is malformed, the members before the error are used.
        try? JSONScanner.read(object, into: &members)
        let texts = members.compactMapValues(\.string)
        switch texts["class"] {
        case "DEVICE":
            guard let path = texts["path"] else { return }
            device = texts["subtype"].map { "\(path) (\($0))" } ?? path
        case "ERROR": reason = texts["message"]
        default: return
        }
    }

    /// Returns the error that the program has reported, with `name` as its device; `nil` if it has
    /// reported no error.
    func error(_ name: String) -> DeviceError? {
        reason.map { DeviceError(.unreachable, device: name, detail: .reported($0)) }
    }
}
