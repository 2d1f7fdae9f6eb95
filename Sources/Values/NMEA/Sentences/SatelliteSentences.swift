// SPDX-License-Identifier: MIT
public import GNSS

/// Satellite fault detection: expected errors and the satellite most likely at fault.
///
///     $--GBS,hhmmss.ss,x.x,x.x,x.x,xx,x.x,x.x,x.x,h,h*hh
///     $GNGBS,101520.00,1.4,1.2,2.9,,,,,,*55
public struct GBS: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "GBS"
    /// The time and the errors are required.
    public static let minimumFieldCount = 4

    /// The UTC time of the fix that the sentence describes.
    public var time: TimeOfDay?
    /// The expected one-sigma error of the latitude in metres.
    public var latitudeError: Double?
    /// The expected one-sigma error of the longitude in metres.
    public var longitudeError: Double?
    /// The expected one-sigma error of the altitude in metres.
    public var altitudeError: Double?
    /// The number of the satellite most likely at fault.
    public var failedSatellite: Int?
    /// The probability that a fault of the satellite is not detected.
    public var missedDetection: Double?
    /// The estimated range error of the satellite most likely at fault, in metres.
    public var bias: Double?
    /// The one-sigma error of the estimated range error in metres.
    public var biasError: Double?
    /// The constellation of the satellite most likely at fault, as a system ID (NMEA 4.10).
    public var systemID: UInt8?
    /// The signal of the satellite most likely at fault, as a signal ID (NMEA 4.10).
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
