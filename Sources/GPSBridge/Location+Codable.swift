// SPDX-License-Identifier: MIT
import Devices
import FoundationEssentials
import GNSS

/// A stored location: what is not known has no key. `fix` and `satellites` are not stored; a location
/// that is read back has a fix made of its other values.
///
///     {"coordinate":{"latitude":48.2,"longitude":16.36},"horizontalAccuracy":3,"speed":10,
///      "timestamp":795780920,"origin":"live","source":"/dev/ttyACM0","device":"/dev/ttyACM0"}
extension Location: Codable {
    private enum CodingKeys: String, CodingKey {
        case coordinate, altitude, ellipsoidalAltitude, horizontalAccuracy, verticalAccuracy, course
        case courseAccuracy, speed, speedAccuracy, timestamp, isTimestampFromSystemClock
        case origin, source, device
    }

    /// Writes what is known.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        func write(_ value: Double, _ key: CodingKeys, unknown: Double = -1) throws {
            if value != unknown, !value.isNaN { try values.encode(value, forKey: key) }
        }
        try values.encode(coordinate, forKey: .coordinate)
        try write(altitude, .altitude, unknown: verticalAccuracy > 0 ? .nan : 0)
        try write(ellipsoidalAltitude, .ellipsoidalAltitude, unknown: .nan)
        try values.encode(horizontalAccuracy, forKey: .horizontalAccuracy)
        try write(verticalAccuracy, .verticalAccuracy)
        try write(course, .course)
        try write(courseAccuracy, .courseAccuracy)
        try write(speed, .speed)
        try write(speedAccuracy, .speedAccuracy)
        try values.encode(timestamp, forKey: .timestamp)
        if isTimestampFromSystemClock {
            try values.encode(true, forKey: .isTimestampFromSystemClock)
        }
        try values.encode(sourceInformation.origin.rawValue, forKey: .origin)
        try values.encode(sourceInformation.source, forKey: .source)
        try values.encode(device, forKey: .device)
    }

    /// Reads a location; only the coordinate and the timestamp have to be there.
    ///
    /// Throws `DecodingError`. A location without an origin counts as simulated.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func number(_ key: CodingKeys) throws -> Double? {
            try values.decodeIfPresent(Double.self, forKey: key)
        }
        let origin = try values.decodeIfPresent(String.self, forKey: .origin)
        let source = try values.decodeIfPresent(String.self, forKey: .source)
        self.init(
            coordinate: try values.decode(Coordinate.self, forKey: .coordinate),
            altitude: try number(.altitude) ?? 0,
            ellipsoidalAltitude: try number(.ellipsoidalAltitude),
            horizontalAccuracy: try number(.horizontalAccuracy) ?? Self.unknownHorizontalAccuracy,
            verticalAccuracy: try number(.verticalAccuracy) ?? -1,
            course: try number(.course) ?? -1,
            courseAccuracy: try number(.courseAccuracy) ?? -1,
            speed: try number(.speed) ?? -1,
            speedAccuracy: try number(.speedAccuracy) ?? -1,
            timestamp: try values.decode(Date.self, forKey: .timestamp),
            isTimestampFromSystemClock:
                try values.decodeIfPresent(Bool.self, forKey: .isTimestampFromSystemClock) ?? false,
            sourceInformation: SourceInformation(
                origin: origin.flatMap(DataOrigin.init) ?? .simulated, source: source ?? ""),
            device: try values.decodeIfPresent(String.self, forKey: .device) ?? "")
    }
}

extension DataOrigin {
    /// The name by which it is stored.
    fileprivate var rawValue: String { "\(self)" }

    fileprivate init?(_ name: String) {
        guard let origin = [Self.live, .replay, .simulated].first(where: { "\($0)" == name }) else {
            return nil
        }
        self = origin
    }
}
