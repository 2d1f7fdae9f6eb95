// SPDX-License-Identifier: MIT

/// What can be done with a source.
public struct SourceCapabilities: OptionSet, Hashable, Sendable {
    /// One bit for each capability.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// It is a recording, and can be read faster or slower than it was recorded.
    public static let replaySpeed = SourceCapabilities(rawValue: 1)
    /// Reading may pause without loss: its bytes wait, as those of a file or a pipe do.
    public static let pausing = SourceCapabilities(rawValue: 2)
    /// It is read from a serial line, which has a baud rate.
    public static let serialLine = SourceCapabilities(rawValue: 4)
    /// It names a receiver however it is plugged in, so it is worth waiting for one that is not there.
    public static let hotPlug = SourceCapabilities(rawValue: 8)
}

/// What kind of source it is, in one word.
public struct SourceKind: RawRepresentable, Hashable, Sendable {
    /// The word: `serial`.
    public let rawValue: String

    /// Creates a kind from its word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A receiver's tty, or another stream of live bytes.
    public static let serial = SourceKind(rawValue: "serial")
    /// A recording.
    public static let file = SourceKind(rawValue: "file")
    /// A simulated receiver.
    public static let simulated = SourceKind(rawValue: "simulated")
    /// A server of sentences.
    public static let tcp = SourceKind(rawValue: "tcp")
    /// Datagrams.
    public static let udp = SourceKind(rawValue: "udp")
    /// A server of gpsd's protocol.
    public static let gpsd = SourceKind(rawValue: "gpsd")
    /// A member of a fleet, by an engine.
    public static let fleet = SourceKind(rawValue: "fleet")
}

/// A port of a host.
public struct NetworkEndpoint: Hashable, Sendable {
    /// The host's name or address.
    public let host: String
    /// The port.
    public let port: UInt16

    /// Creates an endpoint.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}
