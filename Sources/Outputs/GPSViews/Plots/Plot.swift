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
