// SPDX-License-Identifier: MIT
import CoreLocation
import GNSS
import GPSBridge
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct CLLocationTests {
    @Test(arguments: [
        (0.0, 0.0, 0.0, 1.0, 111_319.4908), (60, 0, 60, 1, 55_800.0016), (0, 0, 1, 0, 110_574.3886),
    ])
    func `distances match Apple's to a hundred thousandth`(
        _ place: (Double, Double, Double, Double, metres: Double)
    ) {
        let start = CLLocation(latitude: place.0, longitude: place.1)
        let end = CLLocation(latitude: place.2, longitude: place.3)
        #expect(abs(start.distance(from: end) - place.metres) < place.metres * 1e-5)
        #expect(start.distance(from: start) == 0)
    }

    @Test func `a distance to an invalid location is a number`() {
        let nowhere = CLLocation(latitude: 100, longitude: 200)
        #expect(nowhere.coordinate.latitude == 100)
        #expect(nowhere.distance(from: CLLocation()) == 0)
    }

    @Test func `a location from a coordinate has Apple's defaults`() {
        let location = CLLocation(latitude: 48.2, longitude: 16.37)
        #expect(location.altitude == 0 && location.horizontalAccuracy == 0)
        #expect(location.verticalAccuracy == -1 && location.course == -1 && location.speed == -1)
        #expect(location.courseAccuracy == -1 && location.speedAccuracy == -1)
        #expect(location.floor == nil && location.sourceInformation == nil)
        #expect(abs(location.timestamp.timeIntervalSinceNow) < 60)
    }

    private static let complete = CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.37), altitude: 171,
        horizontalAccuracy: 3, verticalAccuracy: 5, course: 90, courseAccuracy: 4, speed: 10,
        speedAccuracy: 0.5, timestamp: Date(timeIntervalSince1970: 1_774_094_400),
        sourceInfo: CLLocationSourceInformation(
            softwareSimulationState: true, andExternalAccessoryState: false))

    @Test func `a location is archived with Apple's keys and comes back equal`() throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: Self.complete, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data)
        #expect(back == Self.complete && back?.hash == Self.complete.hash)
        #expect(back?.sourceInformation?.isSimulatedBySoftware == true)
        #expect(back?.courseAccuracy == 4 && back?.speedAccuracy == 0.5)
        #expect(String(decoding: data, as: UTF8.self).contains("kCLLocationCodingKeyTimestamp"))
    }

    @Test func `an archive with Apple's class name is read once the name is registered`() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.setClassName("CLLocation", for: CLLocation.self)
        archiver.encode(Self.complete, forKey: "location")
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.setClass(CLLocation.self, forClassName: "CLLocation")
        let back = unarchiver.decodeObject(of: CLLocation.self, forKey: "location")
        #expect(back == Self.complete)
    }

    @Test func `locations are equal by value`() {
        let same = CLLocation(
            coordinate: Self.complete.coordinate, altitude: 171, horizontalAccuracy: 3,
            verticalAccuracy: 5, course: 90, courseAccuracy: 4, speed: 10, speedAccuracy: 0.5,
            timestamp: Self.complete.timestamp)
        #expect(same != Self.complete)
        #expect(same.copy() as? CLLocation == same)
        #expect(CLLocation(latitude: 1, longitude: 2) != CLLocation(latitude: 1, longitude: 3))
    }

    private final class Elsewhere: CLLocation, @unchecked Sendable {
        override var coordinate: CLLocationCoordinate2D {
            CLLocationCoordinate2D(latitude: 1, longitude: 2)
        }
    }

    @Test func `values of a subclass are used in distances, equality and descriptions`() {
        let mock = Elsewhere(latitude: 48.2, longitude: 16.37)
        #expect(mock.distance(from: CLLocation(latitude: 1, longitude: 2)) == 0)
        #expect(mock.description.hasPrefix("<+1.00000000,+2.00000000> +/- 0.00m (speed -1.00 mps"))
    }

    @Test func `values that a receiver did not send are finite`() {
        let unknown = Location(
            coordinate: Coordinate(latitude: 48.2, longitude: 16.37), course: 90, speed: 10,
            timestamp: Date(), sourceInformation: SourceInformation(origin: .live))
        let manager = CLLocationManager(source: .sentences([]))
        #expect(manager.location == nil)
        let location = CLLocation(receiver: unknown)
        #expect(location.ellipsoidalAltitude == 0 && location.altitude == 0)
        // A negative accuracy would make programs ignore speed and course.
        #expect(location.speedAccuracy == 10 && location.courseAccuracy == 180)
        #expect(location.verticalAccuracy == -1)
        #expect(location.sourceInformation?.isProducedByAccessory == true)
        #expect(Location(location) == unknown && Location(CLLocation()) == nil)
    }

    @Test func `accuracies sort as on Apple's systems`() {
        let sorted = [
            kCLLocationAccuracyBestForNavigation, kCLLocationAccuracyBest,
            kCLLocationAccuracyNearestTenMeters, kCLLocationAccuracyHundredMeters,
            kCLLocationAccuracyKilometer, kCLLocationAccuracyThreeKilometers,
            kCLLocationAccuracyReduced,
        ]
        #expect(sorted == sorted.sorted() && Set(sorted).count == 7)
        #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(-90, 180)))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(.nan, 0)))
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    }
}
