// SPDX-License-Identifier: MIT
package import GNSS
import Glibc

/// Distance, times, speeds and heights of a track, fix by fix; memory does not grow.
package struct TrackSummary: Sendable {
    /// Metres within which a receiver that stands still seems to wander.
    private static let wander = 3.0
    /// Metres a second from which on it moves.
    private static let movement = 0.5

    /// Fixes with a position.
    package private(set) var fixCount = 0
    /// The first and the last time; `nil` where no date was given.
    package private(set) var start: UTCTime?
    /// The last time.
    package private(set) var end: UTCTime?
    /// Metres over ground, without what lies in gaps.
    package private(set) var distance = 0.0
    /// Seconds in which it moved at half a metre a second or more.
    package private(set) var movingTime = 0.0
    /// Metres a second.
    package private(set) var maximumSpeed: Double?
    /// Metres above mean sea level.
    package private(set) var lowest: Double?
    /// Metres above mean sea level.
    package private(set) var highest: Double?
    /// Metres upwards, without noise.
    package var climb: Double { heights.climb }
    /// Metres downwards, likewise.
    package var descent: Double { heights.descent }

    /// Seconds without a fix behind which a segment begins.
    private let gap: Double
    private var lastTime: UTCTime?
    private var lastCoordinate: Coordinate?
    /// Up to where the distance is counted.
    private var anchor: Coordinate?
    private var heights = HeightProfile()

    /// Creates an empty summary.
    package init(gap: Double = 60) {
        self.gap = gap
    }

    /// Seconds from the first time to the last one.
    package var duration: Double? {
        guard let start, let end else { return nil }
        return end.seconds - start.seconds
    }

    /// Metres a second while it moved.
    package var averageSpeed: Double? { movingTime > 0 ? distance / movingTime : nil }

    /// Begins a segment: what lies between is not counted.
    package mutating func endSegment() {
        (lastTime, lastCoordinate, anchor) = (nil, nil, nil)
        heights.endSegment()
    }

    /// Adds the next fix; one without a position ends the segment.
    package mutating func add(_ fix: Fix) {
        guard let coordinate = fix.coordinate else { return endSegment() }
        let step = fix.time.flatMap { now in lastTime.map { now.seconds - $0.seconds } }
        if let step, step < 0 || step > gap { endSegment() }
        fixCount += 1
        addSpeed(fix, coordinate, over: step)
        addDistance(to: coordinate)
        if let altitude = fix.altitude { addHeight(altitude, fix.accuracy.vertical) }
        lastCoordinate = coordinate
        guard let time = fix.time else { return }
        lastTime = time
        start = start ?? time
        end = time
    }

    private mutating func addSpeed(_ fix: Fix, _ coordinate: Coordinate, over step: Double?) {
        var speed = fix.speed
        if let step, step > 0, step <= gap, let last = lastCoordinate {
            speed = speed ?? Self.distance(last, coordinate) / step
            if let speed, speed >= Self.movement { movingTime += step }
        }
        if let speed { maximumSpeed = max(maximumSpeed ?? 0, speed) }
    }

    private mutating func addDistance(to coordinate: Coordinate) {
        guard let from = anchor else { return anchor = coordinate }
        let metres = Self.distance(from, coordinate)
        guard metres >= Self.wander else { return }
        distance += metres
        anchor = coordinate
    }

    /// Metres over ground: of steps shorter than a hundredth of a degree by the radii of curvature in
    /// the middle, within a millimetre, and twenty times as fast as the geodesic.
    private static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
        let (north, east) = (b.latitude - a.latitude, b.longitude - a.longitude)
        guard abs(north) < 0.01, abs(east) < 0.01, abs(a.latitude) < 89 else {
            return a.distance(from: b)
        }
        let latitude = (a.latitude + b.latitude) / 2 * .pi / 180
        let (sine, cosine) = (sin(latitude), cos(latitude))
        let w = 1 - WGS84.eccentricitySquared * sine * sine
        let prime = WGS84.semiMajor / w.squareRoot()
        let meridian = prime * (1 - WGS84.eccentricitySquared) / w
        let (x, y) = (east * cosine * prime, north * meridian)
        return (x * x + y * y).squareRoot() * .pi / 180
    }

    private mutating func addHeight(_ altitude: Double, _ accuracy: Double?) {
        lowest = min(lowest ?? altitude, altitude)
        highest = max(highest ?? altitude, altitude)
        heights.add(altitude, accuracy: accuracy)
    }
}

extension UTCTime {
    fileprivate var seconds: Double { Double(unixNanoseconds) / 1e9 }
}

extension TrackSummary {
    /// A figure with its name, as `convert --summary`, plots and the screen write it.
    package struct Row: Sendable {
        package let name: String
        package let value: String
    }

    /// Distance, times, speeds and heights; without what is not known.
    package func rows(_ units: Units) -> [Row] {
        func speed(_ value: Double?) -> String? { value.map { units.speed($0) } }
        func height(_ value: Double) -> String? { highest.map { _ in units.length(value) } }
        let rows: [(String, String?)] = [
            ("duration", duration.map(Self.clock)), ("moving", Self.clock(movingTime)),
            (
                "distance",
                "\(String(distance / units.distance.metres, decimals: 3)) \(units.distance.sign)"
            ),
            ("average speed", speed(averageSpeed)), ("maximum speed", speed(maximumSpeed)),
            ("lowest", lowest.map { units.length($0) }),
            ("highest", highest.map { units.length($0) }),
            ("climb", height(climb)), ("descent", height(descent)),
        ]
        return rows.compactMap { name, value in value.map { Row(name: name, value: $0) } }
    }

    /// Hours, minutes and seconds.
    private static func clock(_ seconds: Double) -> String {
        let whole = Int(nearest: seconds)
        return
            "\(whole / 3600):\(String(whole / 60 % 60, width: 2)):\(String(whole % 60, width: 2))"
    }
}
