// SPDX-License-Identifier: MIT
import GPSBridge
import Synchronization

// Safety: the name is immutable, and the other values are atomic.
/// The base class of areas to monitor. Only a `CLCircularRegion` can be monitored.
nonisolated open class CLRegion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The region's name. A manager that starts to monitor another region with the same name stops
    /// monitoring this one.
    open var identifier: String { name }
    private let name: String

    private let notifiesOnEntry = Atomic(true)
    private let notifiesOnExit = Atomic(true)

    /// Whether `didEnterRegion` is called. Default: `true`.
    open var notifyOnEntry: Bool {
        get { notifiesOnEntry.load(ordering: .relaxed) }
        set { notifiesOnEntry.store(newValue, ordering: .relaxed) }
    }

    /// Whether `didExitRegion` is called. Default: `true`.
    open var notifyOnExit: Bool {
        get { notifiesOnExit.load(ordering: .relaxed) }
        set { notifiesOnExit.store(newValue, ordering: .relaxed) }
    }

    /// Creates a region with an empty name and no area.
    public override init() {
        name = ""
    }

    init(identifier: String) {
        name = identifier
    }

    /// Returns whether another object is a region with the same class and name.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLRegion else { return false }
        return type(of: other) == type(of: self) && other.identifier == identifier
    }

    /// A hash of the name.
    open override var hash: Int { identifier.hashValue }

    /// The region on one line in Apple's format: `CLRegion (identifier:'home')`.
    open override var description: String {
        "\(type(of: self)) (identifier:'\(identifier)')"
    }

    /// Returns a new region with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLRegion(identifier: identifier)
        copy.setNotifications(of: self)
        return copy
    }

    func setNotifications(of region: CLRegion) {
        notifyOnEntry = region.notifyOnEntry
        notifyOnExit = region.notifyOnExit
    }

    /// Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all values.
    open func encode(with coder: NSCoder) {
        coder.encode(identifier as NSString, forKey: "kCLRegionCodingKeyIdentifier")
        coder.encode(notifyOnEntry, forKey: "kCLRegionCodingKeyNotifyOnEntry")
        coder.encode(notifyOnExit, forKey: "kCLRegionCodingKeyNotifyOnExit")
    }

    /// Reads the values that `encode(with:)` wrote. Returns `nil` if the archive contains no
    /// identifier.
    public required init?(coder: NSCoder) {
        guard
            let name = coder.decodeObject(of: NSString.self, forKey: "kCLRegionCodingKeyIdentifier")
        else {
            return nil
        }
        self.name = name as String
        super.init()
        if coder.containsValue(forKey: "kCLRegionCodingKeyNotifyOnEntry") {
            notifyOnEntry = coder.decodeBool(forKey: "kCLRegionCodingKeyNotifyOnEntry")
        }
        if coder.containsValue(forKey: "kCLRegionCodingKeyNotifyOnExit") {
            notifyOnExit = coder.decodeBool(forKey: "kCLRegionCodingKeyNotifyOnExit")
        }
    }
}

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

/// A circle that a location may be inside or outside of.
struct Circle: Hashable, Sendable {
    var center: CLLocationCoordinate2D
    var radius: Double

    static func == (a: Self, b: Self) -> Bool {
        // The numbers are compared, because `CLLocationCoordinate2D` is not `Equatable`.
        (a.center.latitude, a.center.longitude, a.radius)
            == (b.center.latitude, b.center.longitude, b.radius)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(center.latitude)
        hasher.combine(center.longitude)
        hasher.combine(radius)
    }

    /// Returns the distance in metres from the centre to a coordinate; `nil` if either is not
    /// valid.
    func distance(to coordinate: CLLocationCoordinate2D) -> Double? {
        let (here, there) = (center.coordinate, coordinate.coordinate)
        return here.isValid && there.isValid ? here.distance(from: there) : nil
    }

    /// Returns whether a location is inside the circle, given the state at the previous location.
    ///
    /// A known state changes only if the distance to the edge exceeds the location's accuracy or
    /// half the radius, whichever is less. Otherwise, noise near the edge would cause repeated
    /// changes.
    func state(of location: Location, after last: CLRegionState) -> CLRegionState {
        guard let distance = distance(to: CLLocationCoordinate2D(location.coordinate)) else {
            return last
        }
        let margin = min(location.horizontalAccuracy, radius / 2)
        switch last {
        case .unknown: return distance <= radius ? .inside : .outside
        case .inside: return distance > radius + margin ? .outside : .inside
        case .outside: return distance < radius - margin ? .inside : .outside
        }
    }
}
