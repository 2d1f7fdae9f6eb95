// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO
import Synchronization

/// A source of a receiver's bytes, such as a tty, a file or a server. It does not parse the bytes.
public protocol DeviceSource: Sendable {
    /// The name by which the user knows the source: `/dev/ttyUSB0`, `-`, `track.nmea`.
    var name: String { get }

    /// Whether the data is live, recorded or simulated. Default: `.unknown`, until the first
    /// position shows whether the data is simulated.
    var origin: DataOrigin { get }

    /// The kind of source. Default: derived from the origin.
    var kind: SourceKind { get }

    /// The operations that the source supports. Default: those of a recording if the origin is a
    /// recording, otherwise none.
    var capabilities: SourceCapabilities { get }

    /// Identifies the receiver. Two sources have equal identities if they would read the same
    /// receiver.
    ///
    /// Get it when reading starts, because a symbolic link may later point to a different receiver.
    /// Default: equal for sources with the same name.
    var identity: SourceIdentity { get }

    /// The replay speed of a recording as a factor of the recorded speed; infinity means as fast as
    /// possible. The session applies it. Default: 1.
    var replaySpeed: Double { get }

    /// The fixed baud rate of the serial line. Default: `nil`, which means that the rate is
    /// detected or that the source has none.
    var baudRate: BaudRate? { get }

    /// The path of the source's current tty. Default: `nil`, which means that the tty is not known
    /// before opening or that there is none.
    var ttyPath: String? { get }

    /// The server to which the source connects. Default: `nil`.
    var endpoint: NetworkEndpoint? { get }

    /// Opens the source.
    ///
    /// Does not wait for a device to appear: throws `.notFound` or `.noReceiver` instead. Throws
    /// `.ended` if the device will not return.
    func open() async throws(DeviceError) -> any DeviceConnection

    /// Opens the source for a reader that detects the baud rate, unless the source has a fixed one.
    /// A source that may refer to several devices selects the receiver among them.
    ///
    /// Throws the errors of `open()`. Default: the same as `open()`.
    func openToListen() async throws(DeviceError) -> any DeviceConnection

    /// Starts to watch for the source's device. Call it before the first `open()`.
    ///
    /// Returns `nil` for a source that cannot be reopened once it has ended, such as a regular
    /// file. Default: `nil`.
    func availability() -> (any DeviceAvailability)?
}

extension DeviceSource {
    /// The default: unknown until the first position shows whether the data is simulated.
    public var origin: DataOrigin { .unknown }

    /// The kind derived from the origin.
    public var kind: SourceKind {
        switch origin {
        case .live, .unknown: .serial
        case .replay: .file
        case .simulated: .simulated
        }
    }

    /// The operations of a recording if the origin is a recording, otherwise none.
    public var capabilities: SourceCapabilities {
        origin == .replay ? [.replaySpeed, .pausing] : []
    }

    /// The default: equal for sources with the same name.
    public var identity: SourceIdentity { SourceIdentity(name) }

    /// The default replay speed: 1, as fast as recorded.
    public var replaySpeed: Double { 1 }

    /// The default: no fixed baud rate.
    public var baudRate: BaudRate? { nil }

    /// The default: no known tty.
    public var ttyPath: String? { nil }

    /// The default: no server.
    public var endpoint: NetworkEndpoint? { nil }

    /// Whether the name is that of the device that is opened. Other names select a device, whose
    /// path is known only when it is open.
    package var namesDevice: Bool { !capabilities.contains(.selectsDevice) }

    /// Calls `open()`.
    public func openToListen() async throws(DeviceError) -> any DeviceConnection {
        try await open()
    }

    /// The default: the source cannot be reopened.
    public func availability() -> (any DeviceAvailability)? { nil }
}

extension Sequence<any DeviceSource> {
    /// The names of the sources. Of several with the same name, such as `simulated`, each but the
    /// first gets a number: `simulated 2`.
    package var distinctNames: [String] {
        var names: Set<String> = []
        return map { source in
            var name = source.name
            var number = 1
            while !names.insert(name).inserted {
                number += 1
                name = "\(source.name) \(number)"
            }
            return name
        }
    }
}

/// Waits until it makes sense to try again to open a source.
public protocol DeviceAvailability: Sendable {
    /// Waits until another attempt to open the source may succeed, the deadline is reached, or the
    /// task is cancelled.
    ///
    /// Returns immediately if an event has occurred since the last call, so that no event between a
    /// failed `open()` and this call is missed. It may return without a reason, but not repeatedly
    /// while nothing changes.
    func next(until deadline: MonotonicInstant?) async
}

/// An open source. It is closed when its last reference is released, or earlier by `close()`.
public protocol DeviceConnection: Sendable {
    /// The name of the device being read. It can differ from the source's name, for example if the
    /// source is "any receiver".
    var name: String { get }

    /// Waits for bytes. Returns `.silence` at the deadline; `nil` means to wait without a limit.
    ///
    /// After `.end`, every read returns `.end`. Throws `.disconnected` at a hang-up and `.ioFailed`
    /// if reading fails; both also close the connection. Throws `.cancelled` if the task is
    /// cancelled, which also closes the connection, or if the connection has been closed.
    func read(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput

    /// Closes the connection immediately. A pending read throws `.cancelled`. Closing again has no
    /// effect.
    func close()
}

/// A connection whose bytes can be processed by a callback on the polling thread, without resuming
/// a task for each read.
package protocol PolledConnection: DeviceConnection {
    /// The poller that waits for the bytes.
    var poller: Poller { get }

    /// Reads repeatedly and passes each input to `handle`, until `handle` returns `.end` or the
    /// input was `.end`. Throws the errors of `read(until:)`.
    ///
    /// `handle` is called on the polling thread or by the calling task, whose executor preference
    /// must be `poller`.
    func read(
        until deadline: MonotonicInstant?,
        each handle: @escaping @Sendable (DeviceInput) -> Poller.HandlerResult
    ) async throws(DeviceError)
}

extension PolledConnection {
    package func read(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput {
        let input = Mutex(DeviceInput.end)
        try await read(until: deadline) { next in
            input.withLock { $0 = next }
            return .end
        }
        return input.withLock { $0 }
    }
}

/// The result of a read.
public enum DeviceInput: Equatable, Sendable {
    /// Bytes in the order received, split at any point: at least one byte and at most 64 KiB.
    case bytes([UInt8])
    /// No bytes were received before the deadline.
    case silence
    /// The source has ended.
    case end
}

extension DeviceConnection {
    package var serialLine: SerialConnection? { self as? SerialConnection }
}

/// Creates sources from the names that users type.
package enum DeviceSources {
    /// Returns the source for `-` or a path to a tty, a recording or a named pipe. The baud rate of
    /// a tty is detected if none is given.
    ///
    /// A persistent name (`isPersistentName`) does not have to exist yet. A recording is replayed
    /// `speed` times as fast as it was recorded. If `isLive` is `true`, a pipe's data is known to
    /// come from a live receiver.
    ///
    /// Throws `.notFound`, `.permissionDenied`, `.isDirectory`, `.ownTerminal`, or `.notADevice`
    /// for any other kind of node.
    package static func at(
        _ path: String, baudRate: BaudRate? = nil, speed: Double = 1, isLive: Bool = false
    ) throws(DeviceError) -> any DeviceSource {
        guard path != "-" else {
            var source = StandardInputSource(speed: speed)
            source.isLive = isLive
            return source
        }
        let node = Node(path)
        if isPersistentName(path), node.file == nil {
            return SerialSource(path, baudRate: baudRate)
        }
        switch try DeviceError.converted(node.kind) {
        case .characterDevice where node.isOwnTerminal:
            throw DeviceError(.ownTerminal, device: path)
        case .characterDevice: return SerialSource(path, baudRate: baudRate)
        case .regularFile: return FileSource(path, speed: speed)
        case .pipe:
            var source = PipeSource(path)
            source.isLive = isLive
            return source
        case .folder: throw DeviceError(.isDirectory, device: path)
        case .socket, .other: throw DeviceError(.notADevice, device: path)
        }
    }

    /// Returns whether udev reserves a path for one device, as in `/dev/serial/by-id`. If so, a
    /// session can wait until that device is plugged in.
    static func isPersistentName(_ path: String) -> Bool {
        ["/dev/serial/by-", "/dev/gnss/"].contains { path.hasPrefix($0) }
    }
}

extension OriginDetector {
    /// Creates a detector whose initial origin is that of the source.
    package init(_ source: any DeviceSource) {
        self.init(origin: source.origin, mayBeOld: source.capabilities.contains(.pausing))
    }
}

/// Ends each wait after a fixed interval. It is used for sources whose availability cannot be
/// watched: a host, or a path when the user's limit of inotify watches has been reached.
package struct PeriodicRetry: DeviceAvailability {
    let poller: Poller
    var interval = Duration.seconds(30)

    /// Returns a retry that ends each wait after two seconds. Use it after a wait for events that
    /// may have failed, for example because the process has no free descriptor. Otherwise, the
    /// source would be opened again and again without a pause.
    ///
    /// If the deadline has passed or the task has been cancelled, the wait ends immediately.
    package static func withoutEvents(_ poller: Poller) -> PeriodicRetry {
        PeriodicRetry(poller: poller, interval: .seconds(2))
    }

    package func next(until deadline: MonotonicInstant?) async {
        let latest = poller.now + interval
        _ = await poller.sleep(until: min(deadline ?? latest, latest))
    }
}

/// The operations that a source supports.
public struct SourceCapabilities: OptionSet, Hashable, Sendable {
    /// One bit for each capability.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The source is a recording whose replay speed can be set.
    public static let replaySpeed = SourceCapabilities(rawValue: 1)
    /// Reading can be paused without losing data, for example from a file or a pipe.
    public static let pausing = SourceCapabilities(rawValue: 2)
    /// The source is a serial line, which has a baud rate.
    public static let serialLine = SourceCapabilities(rawValue: 4)
    /// The source identifies its receiver even while the receiver is not connected, so a session
    /// can wait until it is plugged in.
    public static let hotPlug = SourceCapabilities(rawValue: 8)
    /// The source selects a device, whose path is known only when it is open.
    package static let selectsDevice = SourceCapabilities(rawValue: 16)
}

/// The kind of a source, identified by a single word.
public struct SourceKind: RawRepresentable, Hashable, Sendable {
    /// The word, for example `serial`.
    public let rawValue: String

    /// Creates a kind from a word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A receiver's tty, or another stream of live bytes.
    public static let serial = SourceKind(rawValue: "serial")
    /// A recording.
    public static let file = SourceKind(rawValue: "file")
    /// A simulated receiver.
    public static let simulated = SourceKind(rawValue: "simulated")
    /// A TCP server that sends sentences.
    public static let tcp = SourceKind(rawValue: "tcp")
    /// A sender of UDP datagrams.
    public static let udp = SourceKind(rawValue: "udp")
    /// A server of gpsd's protocol.
    public static let gpsd = SourceKind(rawValue: "gpsd")
    /// A receiver of a fleet, read by NATS or MQTT.
    public static let fleet = SourceKind(rawValue: "fleet")
}

/// A host and a port of a server.
public struct NetworkEndpoint: Hashable, Sendable {
    /// The host's name or address.
    public let host: String
    /// The TCP port.
    public let port: UInt16

    /// Creates an endpoint.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}

/// Identifies the receiver that a source reads. Equal identities mean the same receiver.
public struct SourceIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The name from which the identity was created.
    public let description: String

    /// Creates an identity from a name that is unique to the receiver, such as its real path.
    public init(_ name: String) {
        description = name
    }

    /// Creates the identity of the node that a path currently resolves to.
    public init(path: String) {
        self.init(Node(path).realPath)
    }

    /// Returns an identity that differs from all others.
    package static func unique() -> SourceIdentity {
        let (_, number) = counter.add(1, ordering: .relaxed)
        return SourceIdentity("#\(number)")
    }

    /// The identity of a source that reads any receiver that is plugged in.
    package static let anyReceiver = SourceIdentity("any receiver")

    private static let counter = Atomic<UInt64>(0)
}
