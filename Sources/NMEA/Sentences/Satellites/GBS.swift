// SPDX-License-Identifier: MIT
public import GNSS

/// Satellite fault detection: expected errors and the satellite most likely at fault.
///
///     $--GBS,hhmmss.ss,x.x,x.x,x.x,xx,x.x,x.x,x.x,h,h*hh
///     $GNGBS,101520.00,1.4,1.2,2.9,,,,,,*55
public struct GBS: Sentence, Hashable {
    /// `GBS`.
    public static let formatter: SentenceFormatter = "GBS"
    /// Time and errors.
    public static let minimumFieldCount = 4

    /// UTC of the fix it speaks of.
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

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        time = fields.time()
        latitudeError = fields.decimal()
        longitudeError = fields.decimal()
        altitudeError = fields.decimal()
        failedSatellite = fields.integer()
        missedDetection = fields.decimal()
        bias = fields.decimal()
        biasError = fields.decimal()
        systemID = fields.hexadecimal()
        signalID = fields.hexadecimal()
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.time(time)
        writer.deviation(latitudeError)
        writer.deviation(longitudeError)
        writer.deviation(altitudeError)
        writer.integer(failedSatellite, width: 2)
        writer.decimal(missedDetection, decimals: 1)
        writer.decimal(bias, decimals: 1)
        writer.decimal(biasError, decimals: 1)
        writer.hexadecimal(systemID)
        writer.hexadecimal(signalID)
    }

    /// Opens an epoch.
    public var timing: EpochTiming { .opens(time) }

    /// The expected errors.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(\.expectedError.latitude, latitudeError)
        epoch.fill(\.expectedError.longitude, longitudeError)
        epoch.fill(\.expectedError.altitude, altitudeError)
    }
}
