// SPDX-License-Identifier: MIT
public import GNSS

/// Satellite fault detection: expected errors and the satellite most likely at fault.
///
///     $--GBS,hhmmss.ss,x.x,x.x,x.x,xx,x.x,x.x,x.x,h,h*hh
///     $GNGBS,101520.00,1.4,1.2,2.9,,,,,,*55
public struct GBS: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "GBS"
    /// Time and errors.
    public static let minimumFieldCount = 4

    /// UTC of the fix that it describes.
    public var time: TimeOfDay?
    /// Metres, one sigma.
    public var latitudeError: Double?
    /// Metres, one sigma.
    public var longitudeError: Double?
    /// Metres, one sigma.
    public var altitudeError: Double?
    /// Number of the satellite most likely at fault.
    public var failedSatellite: Int?
    /// Probability that the fault is missed.
    public var missedDetection: Double?
    /// Metres by which that satellite is off.
    public var bias: Double?
    /// Metres, one sigma of the bias.
    public var biasError: Double?
    /// NMEA 4.10: the satellite's constellation.
    public var systemID: UInt8?
    /// NMEA 4.10: the satellite's signal.
    public var signalID: UInt8?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.deviation(&latitudeError)
        coder.deviation(&longitudeError)
        coder.deviation(&altitudeError)
        coder.integer(&failedSatellite, width: 2)
        coder.decimal(&missedDetection)
        coder.decimal(&bias)
        coder.decimal(&biasError)
        coder.hexadecimal(&systemID)
        coder.hexadecimal(&signalID)
    }

    public var timing: EpochTiming { .opens(time) }

    public func contribute(to epoch: inout Epoch) {
        epoch.fill(\.expectedError.latitude, latitudeError)
        epoch.fill(\.expectedError.longitude, longitudeError)
        epoch.fill(\.expectedError.altitude, altitudeError)
    }
}
