// SPDX-License-Identifier: MIT
public import GNSS
public import UBX

/// The settings of a receiver, either requested or in effect. A property is `nil` if it is not
/// requested, or not known.
public struct ReceiverConfiguration: Hashable, Sendable {
    /// The number of fixes per second.
    public var rate: Double?
    /// The baud rate of the serial line.
    public var baudRate: Int?
    /// The constellations in use. On chips with GPS and QZSS, QZSS is enabled together with GPS,
    /// because they share signals.
    public var constellations: Set<Constellation>?
    /// The messages that the receiver sends.
    public var messages: MessageSelection?
    /// The expected motion of the receiver.
    public var dynamics: DynamicModel?
    /// The minimum elevation of satellites that are used, in degrees above the horizon.
    public var minimumElevation: Int?
    /// The version of NMEA.
    public var nmeaVersion: NMEAVersion?
    /// The speed below which the position is held, in metres per second; 0 disables static hold.
    public var staticHoldSpeed: Double?
    /// Whether the receiver predicts orbits to speed up the first fix.
    public var autonomousAssistance: Bool?

    /// Creates a configuration without settings.
    public init() {}

    /// Whether all properties are `nil`.
    public var isEmpty: Bool { self == ReceiverConfiguration() }

    /// Returns a copy in which each setting of `other` that is not `nil` replaces the setting here.
    public func merging(_ other: ReceiverConfiguration) -> ReceiverConfiguration {
        var merged = self
        for property in Self.properties { property.copy(other, &merged) }
        return merged
    }
}

/// A version of NMEA.
public enum NMEAVersion: String, CaseIterable, Sendable {
    /// NMEA 2.1.
    case v2_1 = "2.1"
    /// NMEA 2.3.
    case v2_3 = "2.3"
    /// NMEA 4.0.
    case v4_0 = "4.0"
    /// NMEA 4.10.
    case v4_10 = "4.10"
    /// NMEA 4.11.
    case v4_11 = "4.11"
}

/// A selection of messages that a receiver sends.
public enum MessageSelection: Hashable, Sendable {
    /// The sentences needed for positions and satellites.
    case nmea
    /// The binary messages needed for positions and satellites.
    case ubx
    /// The sentences and the binary messages.
    case both
    /// Only the given messages, by name such as `RMC` or `NAV-PVT`. The value is the interval in
    /// fixes.
    case list([String: Int])
}
