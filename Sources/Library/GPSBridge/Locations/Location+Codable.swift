// SPDX-License-Identifier: MIT
import FoundationEssentials
import GNSS

/// Encodes a location without unknown values. A `fix` that can be restored from the other values,
/// and empty `satellites`, are also omitted.
///
///     {"coordinate":{"latitude":48.2,"longitude":16.36},"horizontalAccuracy":3,"speed":10,
///      "timestamp":795780920,"origin":"live","source":"/dev/ttyACM0","device":"/dev/ttyACM0"}
extension Location: Codable {
    private enum CodingKeys: String, CodingKey {
        case coordinate, altitude, ellipsoidalAltitude, horizontalAccuracy, verticalAccuracy, course
        case courseAccuracy, speed, speedAccuracy, timestamp, isTimestampFromSystemClock
        case device, fix, satellites
    }

    /// Encodes the known values.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        func write(_ value: Double, _ key: CodingKeys, unknown: Double = -1) throws {
            if value != unknown, !value.isNaN { try values.encode(value, forKey: key) }
        }
        try values.encode(coordinate, forKey: .coordinate)
        try write(altitude, .altitude, unknown: verticalAccuracy > 0 ? .nan : 0)
        try write(ellipsoidalAltitude, .ellipsoidalAltitude, unknown: .nan)
        try values.encodeIfPresent(knownHorizontalAccuracy, forKey: .horizontalAccuracy)
        try write(verticalAccuracy, .verticalAccuracy)
        try write(course, .course)
        try write(courseAccuracy, .courseAccuracy)
        try write(speed, .speed)
        try write(speedAccuracy, .speedAccuracy)
        try values.encode(timestamp, forKey: .timestamp)
        if isTimestampFromSystemClock {
            try values.encode(true, forKey: .isTimestampFromSystemClock)
        }
        try sourceInformation.encode(to: encoder)
        try values.encode(device, forKey: .device)
        if fix != impliedFix { try values.encode(fix, forKey: .fix) }
        if satellites != SatelliteView() { try values.encode(satellites, forKey: .satellites) }
    }

    /// Decodes a location. Only the coordinate and the timestamp are required. A location without
    /// an origin counts as simulated.
    ///
    /// Throws `DecodingError` if a required value is missing or a value has the wrong type.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func number(_ key: CodingKeys) throws -> Double? {
            try values.decodeIfPresent(Double.self, forKey: key)
        }
        self.init(
            coordinate: try values.decode(Coordinate.self, forKey: .coordinate),
            altitude: try number(.altitude) ?? 0,
            ellipsoidalAltitude: try number(.ellipsoidalAltitude),
            horizontalAccuracy: try number(.horizontalAccuracy),
            verticalAccuracy: try number(.verticalAccuracy) ?? -1,
            course: try number(.course) ?? -1,
            courseAccuracy: try number(.courseAccuracy) ?? -1,
            speed: try number(.speed) ?? -1,
            speedAccuracy: try number(.speedAccuracy) ?? -1,
            timestamp: try values.decode(Date.self, forKey: .timestamp),
            isTimestampFromSystemClock:
                try values.decodeIfPresent(Bool.self, forKey: .isTimestampFromSystemClock) ?? false,
            sourceInformation: try SourceInformation(from: decoder),
            fix: try values.decodeIfPresent(Fix.self, forKey: .fix),
            satellites: try values.decodeIfPresent(SatelliteView.self, forKey: .satellites)
                ?? SatelliteView(),
            device: try values.decodeIfPresent(String.self, forKey: .device) ?? "")
    }
}

extension SourceInformation: Codable {
    private enum CodingKeys: String, CodingKey {
        case origin, source
    }

    /// Encodes the origin and the source.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(origin.rawValue, forKey: .origin)
        try values.encode(source, forKey: .source)
    }

    /// Decodes source information. Without a known origin, it counts as simulated. Throws
    /// `DecodingError` if a value has the wrong type.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let origin = try values.decodeIfPresent(String.self, forKey: .origin)
        self.init(
            origin: origin.flatMap { DataOrigin(rawValue: $0) } ?? .simulated,
            source: try values.decodeIfPresent(String.self, forKey: .source) ?? "")
    }
}
