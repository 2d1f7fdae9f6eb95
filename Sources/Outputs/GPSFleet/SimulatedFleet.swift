// SPDX-License-Identifier: MIT
package import GNSS
import SimulatedDevices

/// A fleet of simulated moving receivers, whose fixes are computed directly, without ttys or NMEA
/// sentences.
///
/// Each receiver drives in a circle in or near Vienna, with an error of one or two metres.
///
/// The same receiver and time always give the same fix.
package struct SimulatedFleet: Sendable {
    /// The number of receivers.
    package let count: Int
    /// The fleet's name.
    private let fleet: String

    package init(count: Int, fleet: String) {
        self.count = count
        self.fleet = fleet
    }

    /// Returns the name of the receiver with this index, which has its own bridge; `nil` if the
    /// fleet's name is not valid.
    package func member(_ index: Int) -> MemberName? {
        MemberName(fleet: fleet, bridge: "sim-\(index + 1)", receiver: "gps")
    }

    /// Returns the fix of the receiver with this index. `time` is in milliseconds of Unix time.
    package func fix(_ index: Int, at time: Int64) -> Fix {
        var random = SeededGenerator(seed: UInt64(index))
        // The circles' centres form a sunflower spiral with a radius of at most 25 km.
        let distance = 25_000 * (Double(index % 10_000) / 10_000).squareRoot()
        let angle = Double(index) * 2.399_963
        let (sine, cosine) = PortableMath.sinCos(angle.truncatingRemainder(dividingBy: 2 * .pi))
        let track = CircleTrack(
            center: Coordinate(
                latitude: 48.2066 + distance * cosine / 111_200,
                longitude: 16.3634 + distance * sine / 74_200),
            radius: 200 + 400 * random.unit(), speed: 5 + 15 * random.unit(),
            altitude: 150 + 100 * random.unit())
        let start = 7_200 * random.unit()
        let state = track.state(after: Double(time) / 1000 + start)
        random = SeededGenerator(seed: UInt64(index) &* 0x9E37_79B9 &+ UInt64(bitPattern: time))
        var fix = Fix()
        fix.time = UTCTime(unixNanoseconds: time &* 1_000_000)
        fix.timeOfDay = fix.time?.time
        fix.mode = .threeD
        fix.quality = .simulated
        fix.coordinate = Coordinate(
            latitude: state.coordinate.latitude + (random.unit() - 0.5) * 2e-5,
            longitude: state.coordinate.longitude + (random.unit() - 0.5) * 2e-5)
        fix.altitude = ((state.altitude + random.unit() * 3) * 10).rounded() / 10
        fix.geoidSeparation = 44.2
        fix.speed = ((state.speed + random.unit() * 0.1) * 100).rounded() / 100
        fix.course = state.course.map { (($0 * 10).rounded() / 10).wrappedDegrees }
        fix.accuracy.horizontal = 1.8
        fix.accuracy.vertical = 3.1
        fix.dilution.hdop = 0.9
        fix.satellitesUsed = 9 + Int(random.unit() * 3)
        return fix
    }
}
