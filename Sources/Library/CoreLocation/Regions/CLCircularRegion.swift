// SPDX-License-Identifier: MIT

// Safety: adds an immutable value.
/// A circle on the WGS 84 ellipsoid.
nonisolated open class CLCircularRegion: CLRegion, @unchecked Sendable {
    /// The coordinate of the centre.
    open var center: CLLocationCoordinate2D { circle.center }
    /// The radius in metres.
    open var radius: CLLocationDistance { circle.radius }
    private let circle: Circle

    /// Creates a placeholder: a circle with an empty name and radius 0 at latitude and longitude 0.
    public override init() {
        circle = Circle(center: CLLocationCoordinate2D(), radius: 0)
        super.init()
    }

    /// Creates a circle with a radius in metres. The values are not checked until monitoring
    /// starts.
    public init(
        center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String
    ) {
        circle = Circle(center: center, radius: radius)
        super.init(identifier: identifier)
    }

    /// Returns whether a coordinate is inside the circle or on its edge; `false` if the coordinate
    /// or the centre is not valid.
    open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        Circle(center: center, radius: radius).distance(to: coordinate).map { $0 <= radius }
            ?? false
    }

    /// The region on one line in Apple's format: `CLCircularRegion (identifier:'home',
    /// center:<+48.20000000,+16.36000000>, radius:100.00m)`.
    open override var description: String {
        let circle = String(
            format: "center:<%+.8f,%+.8f>, radius:%.2fm", center.latitude, center.longitude, radius)
        return "\(type(of: self)) (identifier:'\(identifier)', \(circle))"
    }

    /// Returns a new region with the same values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLCircularRegion(center: center, radius: radius, identifier: identifier)
        copy.setNotifications(of: self)
        return copy
    }

    /// Writes all values.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(center.latitude, forKey: "kCLRegionCodingKeyLatitude")
        coder.encode(center.longitude, forKey: "kCLRegionCodingKeyLongitude")
        coder.encode(radius, forKey: "kCLRegionCodingKeyRadius")
    }

    /// Reads the values that `encode(with:)` wrote. Returns `nil` if the archive contains no
    /// identifier, centre or radius.
    public required init?(coder: NSCoder) {
        for key in ["Latitude", "Longitude", "Radius"]
        where !coder.containsValue(forKey: "kCLRegionCodingKey\(key)") {
            return nil
        }
        circle = Circle(
            center: CLLocationCoordinate2D(
                latitude: coder.decodeDouble(forKey: "kCLRegionCodingKeyLatitude"),
                longitude: coder.decodeDouble(forKey: "kCLRegionCodingKeyLongitude")),
            radius: coder.decodeDouble(forKey: "kCLRegionCodingKeyRadius"))
        super.init(coder: coder)
    }
}
