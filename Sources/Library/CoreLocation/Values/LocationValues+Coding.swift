// SPDX-License-Identifier: MIT
import GNSS

/// The keys, as in Apple's archives, for the values that `LocationValues.numbers` does not contain.
private enum CodingKey {
    static let latitude = "kCLLocationCodingKeyCoordinateLatitude"
    static let longitude = "kCLLocationCodingKeyCoordinateLongitude"
    static let timestamp = "kCLLocationCodingKeyTimestamp"
    static let isSimulated = "isSimulatedBySoftware"
    static let isFromAccessory = "isProducedByAccessory"
}

extension LocationValues {
    private typealias Number = any WritableKeyPath<LocationValues, Double> & Sendable

    /// The properties that are stored as numbers, each with its key in Apple's archives.
    private static let numbers: [(key: String, path: Number)] = [
        ("Altitude", \.altitude), ("EllipsoidalAltitude", \.ellipsoidalAltitude),
        ("HorizontalAccuracy", \.horizontalAccuracy), ("VerticalAccuracy", \.verticalAccuracy),
        ("Course", \.course), ("CourseAccuracy", \.courseAccuracy),
        ("Speed", \.speed), ("SpeedAccuracy", \.speedAccuracy),
    ].map { ("kCLLocationCodingKey" + $0.0, $0.1) }

    func encode(with coder: NSCoder) {
        coder.encode(coordinate.latitude, forKey: CodingKey.latitude)
        coder.encode(coordinate.longitude, forKey: CodingKey.longitude)
        for (key, path) in Self.numbers { coder.encode(self[keyPath: path], forKey: key) }
        coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: CodingKey.timestamp)
        origin?.encode(with: coder)
    }

    /// Reads the values from an archive of gpsbridge or of Apple's CoreLocation. To read Apple's
    /// archive, a program must first register Apple's class name with its `NSKeyedUnarchiver`.
    /// Missing values are unknown. Returns `nil` if the archive contains no coordinate.
    init?(coder: NSCoder) {
        guard coder.containsValue(forKey: CodingKey.latitude),
            coder.containsValue(forKey: CodingKey.longitude)
        else { return nil }
        self.init(
            coordinate: Coordinate(
                latitude: coder.decodeDouble(forKey: CodingKey.latitude),
                longitude: coder.decodeDouble(forKey: CodingKey.longitude)),
            horizontalAccuracy: -1,
            timestamp: Date(
                timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: CodingKey.timestamp)))
        for (key, path) in Self.numbers where coder.containsValue(forKey: key) {
            self[keyPath: path] = coder.decodeDouble(forKey: key)
        }
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
