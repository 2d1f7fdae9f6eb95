// SPDX-License-Identifier: MIT
public import GNSS

/// Distance, times, speeds and heights of a track, fix by fix; memory does not grow.
public struct TrackSummary: Sendable {
    /// Metres within which a receiver that stands still seems to wander.
    private static let wander = 3.0
    /// Metres by which the height of a receiver on level ground seems to change.
    private static let levelness = 5.0
    /// Metres a second from which on it moves.
    private static let movement = 0.5

    /// Fixes with a position.
    public private(set) var fixCount = 0
    /// The first and the last time; `nil` where no date was given.
    public private(set) var start: UTCTime?
    /// The last time.
    public private(set) var end: UTCTime?
    /// Metres over ground, without what lies in gaps.
    public private(set) var distance = 0.0
    /// Seconds in which it moved at half a metre a second or more.
    public private(set) var movingTime = 0.0
    /// Metres a second.
    public private(set) var maximumSpeed: Double?
    /// Metres above mean sea level.
    public private(set) var lowest: Double?
    /// Metres above mean sea level.
    public private(set) var highest: Double?
    /// Metres upwards, in steps that are no noise.
    public private(set) var climb = 0.0
    /// Metres downwards, likewise.
    public private(set) var descent = 0.0

    /// Seconds without a fix behind which a segment begins.
    private let gap: Double
    private var lastTime: UTCTime?
    private var lastCoordinate: Coordinate?
    /// Up to where the distance is counted, and the height.
    private var anchor: Coordinate?
    private var level: Double?

    /// Creates a summary of nothing.
    public init(gap: Double = 60) {
        self.gap = gap
    }

    /// Seconds from the first time to the last one.
    public var duration: Double? {
        guard let start, let end else { return nil }
        return end.seconds - start.seconds
    }

    /// Metres a second while it moved.
    public var averageSpeed: Double? { movingTime > 0 ? distance / movingTime : nil }

    /// Begins a segment: what lies between is not counted.
    public mutating func breakOff() {
        (lastTime, lastCoordinate, anchor, level) = (nil, nil, nil, nil)
    }

    /// Adds the next fix; one without a position ends the segment.
    public mutating func add(_ fix: Fix) {
        guard let coordinate = fix.coordinate else { return breakOff() }
        let step = fix.time.flatMap { now in lastTime.map { now.seconds - $0.seconds } }
        if let step, step < 0 || step > gap { breakOff() }
        fixCount += 1
        addSpeed(fix, coordinate, over: step)
        addDistance(to: coordinate)
        if let altitude = fix.altitude { addHeight(altitude) }
        lastCoordinate = coordinate
        guard let time = fix.time else { return }
        lastTime = time
        start = start ?? time
        end = time
    }

    private mutating func addSpeed(_ fix: Fix, _ coordinate: Coordinate, over step: Double?) {
        var speed = fix.speed
        if let step, step > 0, step <= gap, let last = lastCoordinate {
            speed = speed ?? coordinate.distance(from: last) / step
            if let speed, speed >= Self.movement { movingTime += step }
        }
        if let speed { maximumSpeed = max(maximumSpeed ?? 0, speed) }
    }

    private mutating func addDistance(to coordinate: Coordinate) {
        guard let from = anchor else { return anchor = coordinate }
        let metres = coordinate.distance(from: from)
        guard metres >= Self.wander else { return }
        distance += metres
        anchor = coordinate
    }

    private mutating func addHeight(_ altitude: Double) {
        lowest = min(lowest ?? altitude, altitude)
        highest = max(highest ?? altitude, altitude)
        guard let from = level else { return level = altitude }
        guard abs(altitude - from) >= Self.levelness else { return }
        if altitude > from { climb += altitude - from } else { descent += from - altitude }
        level = altitude
    }
}

extension UTCTime {
    fileprivate var seconds: Double { Double(unixNanoseconds) / 1e9 }
}
