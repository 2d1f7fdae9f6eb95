// SPDX-License-Identifier: MIT
import CoreLocation
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import Testing

/// Subclasses as in tests of programs: mocks of system classes.
@Suite(.timeLimit(.generous))
struct SubclassTests {
    private static let found = CLPlacemark()

    private final class HandlerGeocoder: CLGeocoder {
        override func reverseGeocodeLocation(
            _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
        ) {
            completionHandler([found], nil)
        }

        override func geocodeAddressString(
            _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
        ) {
            completionHandler(nil, CLError(.geocodeCanceled))
        }
    }

    @Test func `a geocoder's async forms call those that a subclass has overridden`() async throws {
        let geocoder = HandlerGeocoder()
        let placemarks = try await geocoder.reverseGeocodeLocation(CLLocation())
        #expect(placemarks == [Self.found])
        await #expect(throws: CLError(.geocodeCanceled)) {
            try await geocoder.geocodeAddressString("Vienna")
        }
    }

    private final class AsyncGeocoder: CLGeocoder {
        override func reverseGeocodeLocation(
            _ location: CLLocation
        ) async throws -> [CLPlacemark] { [found] }
    }

    @Test func `a subclass overrides a geocoder's async form`() async throws {
        let geocoder: CLGeocoder = AsyncGeocoder()
        #expect(try await geocoder.reverseGeocodeLocation(CLLocation()) == [Self.found])
    }

    private final class ReducedManager: CLLocationManager {
        override func requestTemporaryFullAccuracyAuthorization(
            withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)?
        ) {
            completion?(CLError(.promptDeclined))
        }
    }

    @Test func `requesting full accuracy calls the overridden form of a subclass`() async {
        let manager: CLLocationManager = ReducedManager(source: .sentences([]))
        await #expect(throws: CLError(.promptDeclined)) {
            try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "key")
        }
    }

    @Test func `a heading subclass that archives only its own values is restored`() throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: OwnHeading(degrees: 42), requiringSecureCoding: false)
        let heading = try NSKeyedUnarchiver.unarchivedObject(ofClass: OwnHeading.self, from: data)
        #expect(heading?.trueHeading == 42 && heading?.headingAccuracy == -1)
    }

    // Safety: immutable.
    private final class HomeRegion: CLCircularRegion, @unchecked Sendable {
        override init() {
            super.init(
                center: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.36), radius: 200,
                identifier: "home")
        }

        required init?(coder: NSCoder) { super.init(coder: coder) }
    }

    @Test
    func `regions and source information can be created without arguments, also in subclasses`() {
        let circle = CLCircularRegion()
        #expect(circle.identifier.isEmpty && circle.radius == 0 && circle.center.latitude == 0)
        #expect(CLBeaconRegion().identifier.isEmpty && CLBeaconRegion().uuid == CLBeacon().uuid)
        let source = CLLocationSourceInformation()
        #expect(!source.isSimulatedBySoftware && !source.isProducedByAccessory)
        let home: CLCircularRegion = HomeRegion()
        #expect(home.identifier == "home" && home.radius == 200)
    }

    // Safety: has no stored values.
    private final class Vienna: CLPlacemark, @unchecked Sendable {
        override var locality: String? { "Vienna" }
        override var location: CLLocation? { CLLocation(latitude: 48.2, longitude: 16.36) }
    }

    @Test func `a copy of a placemark has the values of the subclass`() {
        let copy = CLPlacemark(placemark: Vienna())
        #expect(copy.locality == "Vienna" && copy.location?.coordinate.latitude == 48.2)
        #expect(copy.country == nil && CLPlacemark(placemark: CLPlacemark()).locality == nil)
    }

    // Safety: immutable.
    private final class OwnConstraint: CLBeaconIdentityConstraint, @unchecked Sendable {
        private static let identifier = UUID()

        override var uuid: UUID { Self.identifier }
        override var major: CLBeaconMajorValue? { 7 }
    }

    @Test func `values of a beacon selection's subclass are used in its equality`() {
        let first: CLBeaconIdentityConstraint = OwnConstraint(uuid: UUID())
        let second: CLBeaconIdentityConstraint = OwnConstraint(uuid: UUID())
        #expect(first.uuid == second.uuid && first == second && first.hash == second.hash)
        #expect(first != CLBeaconIdentityConstraint(uuid: first.uuid))
    }

    private final class OwnDelegate: CLLocationManager, CLLocationManagerDelegate {
        var found: [CLLocation] = []

        func locationManager(
            _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
        ) {
            found = locations
        }
    }

    @Test func `a manager can be its own delegate, called with an exclamation mark`() {
        let manager = OwnDelegate(source: .sentences([]))
        manager.delegate = manager
        manager.delegate?.locationManager!(manager, didUpdateLocations: [CLLocation()])
        manager.delegate?.locationManagerDidChangeAuthorization!(manager)
        #expect(manager.found.count == 1)
    }

    private final class Trip: CLLocationManager, CLLocationManagerDelegate {
        let found = Witness<CLLocation>()
        // It is created before `super.init()` is called, and does not get the source.
        let other = CLLocationManager()

        override init() {
            super.init()
            delegate = self
            distanceFilter = 25
            startUpdatingLocation()
        }

        func locationManager(
            _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
        ) {
            for location in locations { found.note(location) }
        }
    }

    @Test func `a subclass's init() configures the manager of a given receiver`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = Trip(source: receiver.source)
        #expect(manager.delegate === manager && manager.distanceFilter == 25)
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second, latitude: 48.2) }
        #expect(await manager.found.first(1)[0].coordinate.latitude == 48.2)
        #expect(manager.other.location == nil)
    }

    @MainActor private final class MainManager: CLLocationManager {
        var calls: [String] = []

        nonisolated override init() {
            super.init()
            record("init")
        }

        nonisolated override func startUpdatingLocation() { record("start") }

        nonisolated private func record(_ call: String) {
            // Safety: the manager is used only on the main actor.
            nonisolated(unsafe) let this = self
            MainActor.assumeIsolated { this.calls.append(call) }
        }
    }

    @MainActor @Test func `overrides of a subclass on the main actor use its members`() {
        let manager = MainManager()
        manager.startUpdatingLocation()
        #expect(manager.calls == ["init", "start"])
    }

    // Otherwise, no subclass compiles in a target whose default isolation is the main actor.
    @Test func `every open class is nonisolated`() throws {
        var count = 0
        for text in try PackageFile.sources(of: "CoreLocation") {
            for line in text.split(separator: "\n") {
                #expect(!line.hasPrefix("open class "))
                if line.hasPrefix("nonisolated open class ") { count += 1 }
            }
        }
        #expect(count > 10)
    }
}

// Safety: immutable.
/// A heading that archives only its own value; only top-level classes can be archived.
final class OwnHeading: CLHeading, @unchecked Sendable {
    private let degrees: CLLocationDirection

    init(degrees: CLLocationDirection) {
        self.degrees = degrees
        super.init()
    }

    override var trueHeading: CLLocationDirection { degrees }

    required init?(coder: NSCoder) {
        degrees = coder.decodeDouble(forKey: "trueHeading")
        super.init(coder: coder)
    }

    override func encode(with coder: NSCoder) {
        coder.encode(degrees, forKey: "trueHeading")
    }
}
