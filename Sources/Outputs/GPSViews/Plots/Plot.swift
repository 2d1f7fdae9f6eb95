// SPDX-License-Identifier: MIT
package import GNSS
import NMEA

/// The data of a plot, collected from a stream of fixes. It needs at most 3 MB of memory for any
/// number of fixes.
package struct Plot: DecoderListener, Sendable {
    /// The maximum number of positions in the random sample, from which the scatter plot and its
    /// radii are computed.
    package static let sampleLimit = 32_768

    /// A position that may be shown in the scatter plot.
    package struct SampledPosition: Sendable {
        let region: Int
        let position: LocalPlane.Point
    }

    let settings: PlotSettings
    /// The names of all sources so far, in the order in which their first data was collected.
    private(set) var names: [String] = []
    package private(set) var counts = FixCounts()
    package private(set) var regions = Regions()
    package private(set) var track = TrackThinning()
    package private(set) var sample = Sample<SampledPosition>(limit: Plot.sampleLimit)
    package private(set) var altitude = TimeSeries()
    private(set) var ellipsoidalAltitude = TimeSeries()
    package private(set) var speed = TimeSeries()
    /// The mean C/N0 of the used satellites, in dB-Hz.
    package private(set) var strength = TimeSeries()
    package private(set) var speedByCourse = SpeedByCourse()
    package private(set) var trip: TrackSummary
    private(set) var cells = SkyCells()
    /// The path of each satellite, sorted by satellite ID.
    package private(set) var paths: [SatellitePath] = []
    private var lastView = SatelliteView()
    private(set) var ends: (first: PlottedPoint, last: PlottedPoint)?
    private var origin = DataOrigin.live
    private var last: FixTime?
    private var gap: SegmentGap

    /// A satellite with its path across the sky.
    package struct SatellitePath: Sendable {
        let id: SatelliteID
        var path = SkyPath()
    }

    package init(_ settings: PlotSettings = PlotSettings()) {
        self.settings = settings
        trip = TrackSummary(gap: settings.gap)
        gap = SegmentGap(limit: settings.gap)
    }

    /// Whether there is nothing to draw, because there is neither a position nor a satellite with a
    /// known direction.
    package var isEmpty: Bool { ends == nil && paths.isEmpty }

    /// Begins the data of a new source. Its points are not connected with earlier ones.
    package mutating func begin(_ name: String, _ origin: DataOrigin) {
        names.append(name)
        self.origin = origin
        endSegment()
        trip.beginRecording()
        last = nil
    }

    /// Sets the origin of the following fixes.
    package mutating func set(origin: DataOrigin) {
        self.origin = origin
    }

    /// Begins the data of a source that was opened. If the source has the same name as the previous
    /// one, only ends the segment.
    package mutating func open(_ name: String, _ origin: DataOrigin) {
        guard names.last != name else { return endSegment() }
        begin(name, origin)
    }

    /// Ends the segment of every line, so that later points are not connected with earlier ones.
    package mutating func endSegment() {
        track.endSegment()
        altitude.endSegment()
        ellipsoidalAltitude.endSegment()
        speed.endSegment()
        strength.endSegment()
        trip.endSegment()
    }

    // MARK: Fixes

    /// Adds the fix of an epoch. A fix without a valid position is only counted, and ends the
    /// segment.
    package mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
        counts.add(fix, origin)
        guard fix.mode > .noFix, let coordinate = fix.coordinate, coordinate.isValid else {
            return endSegment()
        }
        var moment = FixTime(fix, order: counts.positions)
        if let last {
            moment = moment.unwrapped(after: last)
            let step = moment.seconds(since: last)
            if step.map({ gap.isGap($0) }) ?? true { endSegment() }
        }
        last = moment
        counts.positions += 1
        counts.note(moment)
        place(fix, coordinate, moment)
        if let value = fix.altitude { altitude.add(value, at: moment) }
        if let value = fix.ellipsoidalAltitude { ellipsoidalAltitude.add(value, at: moment) }
        if let value = fix.speed { speed.add(value, at: moment) }
        speedByCourse.add(fix)
        trip.add(fix)
    }

    private mutating func place(_ fix: Fix, _ coordinate: Coordinate, _ moment: FixTime) {
        // A receiver that reports more than this speed, in metres per second, is certainly not at
        // rest.
        let isFast = (fix.speed ?? 0) > 2
        let address = regions.add(coordinate, at: moment, isFast: isFast)
        if address.isLeap {
            track.endSegment()
            trip.endSegment()
        }
        let point = PlottedPoint(fix, coordinate, address)
        ends = (ends?.first ?? point, point)
        if !isFast {
            sample.add(SampledPosition(region: address.region, position: address.position))
        }
        let reach = regions.main.map { regions.all[$0].reach } ?? 0
        track.add(point, width: 2 * reach)
    }

    // MARK: Satellites

    /// Adds the directions and C/N0 of the satellites, and which of them the fix used.
    package mutating func didReceive(satellites view: SatelliteView) {
        lastView = view
        var index = 0
        var path = 0
        var used = (sum: 0.0, count: 0.0)
        while let satellite = view.nextCombinedSignal(after: &index) {
            let isUsed = view.used.contains(satellite.id)
            if isUsed, let cn0 = satellite.cn0 { used = (used.sum + cn0, used.count + 1) }
            guard let elevation = satellite.elevation, let azimuth = satellite.azimuth,
                elevation >= 0
            else { continue }
            find(&path, of: satellite.id)
            paths[path].path.add(elevation: elevation, azimuth: azimuth, isUsed: isUsed)
            guard let cn0 = satellite.cn0 else { continue }
            cells.add(cn0, elevation: elevation, azimuth: azimuth)
        }
        if let last, used.count > 0 { strength.add(used.sum / used.count, at: last) }
    }

    /// Sets `index` to the position of the satellite's path in `paths`. Inserts an empty path if
    /// there is none. The search is fast if successive calls have ascending IDs.
    private mutating func find(_ index: inout Int, of id: SatelliteID) {
        if index < paths.count, id < paths[index].id { index = 0 }
        while index < paths.count, paths[index].id < id { index += 1 }
        guard index == paths.count || paths[index].id != id else { return }
        paths.insert(SatellitePath(id: id), at: index)
    }

    /// The satellites of the most recent list.
    var inView: [Satellite] { lastView.satellites }
}

/// Counts fixes by origin, dimensions, quality and speed.
package struct FixCounts: Sendable {
    /// The number of all fixes, including those without a position.
    package private(set) var fixes = 0
    var positions = 0
    /// The number of simulated fixes with a position. The source or the receiver marks them as
    /// simulated.
    package private(set) var simulated = 0
    /// Whether any fix was simulated, whether any was replayed from a recording, and whether any
    /// fix with a position was of unknown origin.
    private(set) var origins = (
        isSimulated: false, isReplayed: false, isUnknown: false
    )
    /// The number of 3D fixes.
    package private(set) var threeD = 0
    /// The number of fixes with a position, indexed by the raw value of their quality.
    private var qualityCounts = [Int](repeating: 0, count: FixQuality.allCases.count)
    /// The number of fixes with a speed, and the number of those that are faster than `standstill`.
    private var speeds = (reported: 0, moving: 0)
    /// The earliest and the latest time; `nil` before the first fix with a position. If some times
    /// include a date, times without a date are ignored.
    package private(set) var span: (first: FixTime, last: FixTime)?

    /// The speed in metres per second above which a receiver counts as moving. A receiver at rest
    /// seldom reports more.
    private static let standstill = 0.5

    mutating func add(_ fix: Fix, _ origin: DataOrigin) {
        fixes += 1
        let isSimulated = origin == .simulated || fix.quality == .simulated
        if isSimulated { origins.isSimulated = true }
        if origin == .replay { origins.isReplayed = true }
        guard fix.mode > .noFix, fix.coordinate?.isValid == true else { return }
        if origin == .unknown { origins.isUnknown = true }
        if isSimulated { simulated += 1 }
        if fix.mode == .threeD { threeD += 1 }
        qualityCounts[Int(fix.quality.rawValue)] += 1
        guard let speed = fix.speed else { return }
        speeds.reported += 1
        if speed > Self.standstill { speeds.moving += 1 }
    }

    mutating func note(_ moment: FixTime) {
        guard let span, span.first.scale >= moment.scale else {
            return span = (moment, moment)
        }
        guard span.first.scale == moment.scale else { return }
        let isFirst = moment.nanoseconds < span.first.nanoseconds
        let isLast = moment.nanoseconds > span.last.nanoseconds
        self.span = (isFirst ? moment : span.first, isLast ? moment : span.last)
    }

    /// The qualities of fixes with a position, with the number of these fixes.
    package var qualities: [(quality: FixQuality, count: Int)] {
        FixQuality.allCases.map { ($0, qualityCounts[Int($0.rawValue)]) }.filter { $0.1 > 0 }
    }

    /// Whether the receiver moved: more than one in twenty of its speeds exceeds `standstill`.
    /// `nil` if no speed was reported.
    var isMoving: Bool? {
        speeds.reported == 0 ? nil : speeds.moving * 20 > speeds.reported
    }
}

/// The time of a fix. Its zero point depends on whether the receiver reports a date or at least a
/// time of day.
package struct FixTime: Hashable, Sendable {
    /// The zero point of a time, in the order of increasing information.
    package enum Scale: Int, Comparable, Sendable {
        /// Zero at the first fix. Neither time nor date is known, so one second is counted per fix.
        case order
        /// Zero at midnight UTC, because the date is unknown.
        case timeOfDay
        /// Zero at 1 January 1970, 00:00 UTC.
        case date

        /// Orders scales by increasing information: order, time of day, date.
        package static func < (a: Scale, b: Scale) -> Bool { a.rawValue < b.rawValue }
    }

    package let scale: Scale
    package let nanoseconds: Int64

    /// Creates the time of a fix. `order` is the number of fixes with a position before it.
    package init(_ fix: Fix, order: Int) {
        if let time = fix.time {
            self.init(.date, time.unixNanoseconds)
        } else if let time = fix.timeOfDay {
            self.init(.timeOfDay, time.nanoseconds)
        } else {
            self.init(.order, Int64(clamping: order) &* 1_000_000_000)
        }
    }

    private init(_ scale: Scale, _ nanoseconds: Int64) {
        self.scale = scale
        self.nanoseconds = nanoseconds
    }

    /// Returns the time of day shifted by whole days to be as close as possible to `earlier`,
    /// because midnight may have passed. Times on other scales are returned unchanged.
    package func unwrapped(after earlier: FixTime) -> FixTime {
        guard scale == .timeOfDay, earlier.scale == .timeOfDay else { return self }
        let day = TimeOfDay.day
        let days = ((Double(earlier.nanoseconds) - Double(nanoseconds)) / Double(day)).rounded()
        // A sender may skip any number of days, so the shift is limited to a century.
        guard abs(days) <= 36_525 else { return self }
        return FixTime(.timeOfDay, nanoseconds + Int64(days) * day)
    }

    /// Returns the seconds since `earlier`; `nil` if the scales differ or the result overflows.
    package func seconds(since earlier: FixTime) -> Double? {
        guard scale == earlier.scale else { return nil }
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? nil : Double(difference) / 1e9
    }
}

/// The user's settings for a plot.
package struct PlotSettings: Sendable {
    /// The units of lengths and speeds.
    package var units = Units.metric
    /// The time between fixes, in seconds, above which a line is interrupted.
    package var gap = 60.0
    /// The receiver's true position; `nil` if it is not known.
    package var truth: Coordinate?
    /// Whether the plot is known to show recordings, so that it needs no warning that they are not
    /// live.
    package var isOfRecordings = false

    package init() {}
}

/// The mean and the maximum speed over ground for each course.
package struct SpeedByCourse: Sendable {
    /// The number of sectors. Each covers ten degrees; the first one is centred on north.
    static let sectors = 36
    /// The minimum speed, in metres per second, at which a course is meaningful.
    private static let standstill = 0.5

    /// The speeds in one sector of courses, in metres per second.
    package struct Sector: Hashable, Sendable {
        private(set) var greatest = 0.0
        private var sum = 0.0
        package private(set) var count = 0

        package var mean: Double { count > 0 ? sum / Double(count) : 0 }

        fileprivate mutating func add(_ speed: Double) {
            greatest = max(greatest, speed)
            sum += speed
            count += 1
        }
    }

    package private(set) var all = [Sector](repeating: Sector(), count: sectors)

    /// Whether no fix had both a course and a sufficient speed.
    package var isEmpty: Bool { all.allSatisfy { $0.count == 0 } }

    package mutating func add(_ fix: Fix) {
        guard let speed = fix.speed, let course = fix.course, speed >= Self.standstill,
            speed < 1e5, course.isFinite
        else { return }
        let fraction = course / 360 - (course / 360).rounded(.down)
        all[Int((fraction * Double(Self.sectors)).rounded()) % Self.sectors].add(speed)
    }
}
