// SPDX-License-Identifier: MIT
import GNSS

/// The keys of Apple's archives.
private enum CodingKey {
    static let latitude = "kCLLocationCodingKeyCoordinateLatitude"
    static let longitude = "kCLLocationCodingKeyCoordinateLongitude"
    static let altitude = "kCLLocationCodingKeyAltitude"
    static let ellipsoidalAltitude = "kCLLocationCodingKeyEllipsoidalAltitude"
    static let horizontalAccuracy = "kCLLocationCodingKeyHorizontalAccuracy"
    static let verticalAccuracy = "kCLLocationCodingKeyVerticalAccuracy"
    static let course = "kCLLocationCodingKeyCourse"
    static let courseAccuracy = "kCLLocationCodingKeyCourseAccuracy"
    static let speed = "kCLLocationCodingKeySpeed"
    static let speedAccuracy = "kCLLocationCodingKeySpeedAccuracy"
    static let timestamp = "kCLLocationCodingKeyTimestamp"
    static let isSimulated = "isSimulatedBySoftware"
    static let isFromAccessory = "isProducedByAccessory"
}

extension LocationValues {
    func encode(with coder: NSCoder) {
        coder.encode(coordinate.latitude, forKey: CodingKey.latitude)
        coder.encode(coordinate.longitude, forKey: CodingKey.longitude)
        coder.encode(altitude, forKey: CodingKey.altitude)
        coder.encode(ellipsoidalAltitude, forKey: CodingKey.ellipsoidalAltitude)
        coder.encode(horizontalAccuracy, forKey: CodingKey.horizontalAccuracy)
        coder.encode(verticalAccuracy, forKey: CodingKey.verticalAccuracy)
        coder.encode(course, forKey: CodingKey.course)
        coder.encode(courseAccuracy, forKey: CodingKey.courseAccuracy)
        coder.encode(speed, forKey: CodingKey.speed)
        coder.encode(speedAccuracy, forKey: CodingKey.speedAccuracy)
        coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: CodingKey.timestamp)
        origin?.encode(with: coder)
    }

    init?(coder: NSCoder) {
        guard coder.containsValue(forKey: CodingKey.latitude),
            coder.containsValue(forKey: CodingKey.longitude)
        else { return nil }
        func number(_ key: String, default value: Double = -1) -> Double {
            coder.containsValue(forKey: key) ? coder.decodeDouble(forKey: key) : value
        }
        self.init(
            coordinate: Coordinate(
                latitude: coder.decodeDouble(forKey: CodingKey.latitude),
                longitude: coder.decodeDouble(forKey: CodingKey.longitude)),
            altitude: number(CodingKey.altitude, default: 0),
            ellipsoidalAltitude: number(CodingKey.ellipsoidalAltitude, default: 0),
            horizontalAccuracy: number(CodingKey.horizontalAccuracy),
            verticalAccuracy: number(CodingKey.verticalAccuracy),
            course: number(CodingKey.course), courseAccuracy: number(CodingKey.courseAccuracy),
            speed: number(CodingKey.speed), speedAccuracy: number(CodingKey.speedAccuracy),
            timestamp: Date(
                timeIntervalSinceReferenceDate: number(CodingKey.timestamp, default: 0)))
        if coder.containsValue(forKey: CodingKey.isSimulated) {
            origin = LocationOrigin(coder: coder)
        }
    }
}

extension LocationOrigin {
    func encode(with coder: NSCoder) {
        coder.encode(isSimulated, forKey: CodingKey.isSimulated)
        coder.encode(isFromAccessory, forKey: CodingKey.isFromAccessory)
    }

    init(coder: NSCoder) {
        isSimulated = coder.decodeBool(forKey: CodingKey.isSimulated)
        isFromAccessory = coder.decodeBool(forKey: CodingKey.isFromAccessory)
    }
}
