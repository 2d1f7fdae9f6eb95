// SPDX-License-Identifier: MIT

/// A condition that can be added to a `CLMonitor`.
public protocol CLCondition: Codable, Sendable {}

extension CLMonitor {
    /// The condition that the receiver is inside a circle.
    public struct CircularGeographicCondition: CLCondition {
        /// The coordinate of the centre.
        public let center: CLLocationCoordinate2D
        /// The radius in metres.
        public let radius: CLLocationDistance

        /// Creates the condition for a circle with a radius in metres.
        public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
            self.center = center
            self.radius = radius
        }

        var circle: Circle { Circle(center: center, radius: radius) }

        private enum CodingKeys: String, CodingKey {
            case latitude, longitude, radius
        }

        /// Reads the values that `encode(to:)` wrote.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            center = CLLocationCoordinate2D(
                latitude: try values.decode(Double.self, forKey: .latitude),
                longitude: try values.decode(Double.self, forKey: .longitude))
            radius = try values.decode(Double.self, forKey: .radius)
        }

        /// Writes all values.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(center.latitude, forKey: .latitude)
            try values.encode(center.longitude, forKey: .longitude)
            try values.encode(radius, forKey: .radius)
        }
    }

    /// The condition that a beacon is near. Linux does not support it: its only event has the state
    /// `unmonitored`.
    public struct BeaconIdentityCondition: CLCondition {
        /// The UUID that all selected beacons send.
        public let uuid: UUID
        /// The number of a group of beacons with the same UUID; `nil` for all groups.
        public let major: CLBeaconMajorValue?
        /// The number of a beacon in the group; `nil` for all beacons of the group.
        public let minor: CLBeaconMinorValue?

        // There are three initializers, so that a program can use each as a function.
        /// Creates a condition for all beacons with a UUID.
        public init(uuid: UUID) {
            self.init(uuid: uuid, anyMajor: nil, anyMinor: nil)
        }

        /// Creates a condition for the beacons with a UUID and a group number.
        public init(uuid: UUID, major: CLBeaconMajorValue) {
            self.init(uuid: uuid, anyMajor: major, anyMinor: nil)
        }

        /// Creates a condition for one beacon by its UUID, group number and number in the group.
        public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
            self.init(uuid: uuid, anyMajor: major, anyMinor: minor)
        }

        /// Creates a condition for the beacons with these values; `nil` matches any value.
        init(uuid: UUID, anyMajor: CLBeaconMajorValue?, anyMinor: CLBeaconMinorValue?) {
            self.uuid = uuid
            major = anyMajor
            minor = anyMinor
        }
    }
}
