// SPDX-License-Identifier: MIT

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
