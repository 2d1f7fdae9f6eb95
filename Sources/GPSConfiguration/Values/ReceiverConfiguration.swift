// SPDX-License-Identifier: MIT
public import GNSS
public import UBX

/// Settings of a receiver, as a wish or as a state. A property that is `nil` is not asked for, or not known.
public struct ReceiverConfiguration: Hashable, Sendable {
    /// Fixes per second.
    public var rate: Double?
    /// Bits per second of the serial line.
    public var baudRate: Int?
    /// The constellations in use. QZSS follows GPS, whose signals it shares, on chips with both.
    public var constellations: Set<Constellation>?
    /// The messages that are sent.
    public var messages: MessageSelection?
    /// The motion that the receiver expects.
    public var dynamics: DynamicModel?
    /// Degrees above the horizon below which satellites are not used.
    public var minimumElevation: Int?
    /// The version of NMEA.
    public var nmeaVersion: NMEAVersion?
    /// Metres per second below which the position stays where it is; 0 is off.
    public var staticHoldSpeed: Double?
    /// Whether the receiver predicts orbits by itself, for a faster first fix.
    public var autonomousAssistance: Bool?

    /// Creates a configuration without settings.
    public init() {}

    /// Whether no property has a value.
    public var isEmpty: Bool { self == ReceiverConfiguration() }

    /// These settings, and those of `other` where there is one.
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

/// Messages that a receiver sends.
public enum MessageSelection: Hashable, Sendable {
    /// The sentences that positions and satellites need.
    case nmea
    /// The binary messages that positions and satellites need.
    case ubx
    /// Both.
    case both
    /// These and no others: names such as `RMC` or `NAV-PVT`, with the number of fixes per message.
    case list([String: Int])
}
