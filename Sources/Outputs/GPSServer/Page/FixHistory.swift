// SPDX-License-Identifier: MIT
package import GNSS

/// Stores the fixes of the last hour in bounded memory. If an hour contains more than `limit`
/// fixes, some are omitted.
package struct FixHistory: Sendable {
    private static let length: Int64 = 3_600_000_000_000
    /// The maximum number of fixes in a page's initial state, for all receivers together. It is
    /// enough for the fixes that `thinned` selects from one receiver's hour.
    private static let stateLimit = 1_200
    /// The maximum number of stored fixes, for all receivers together. It is enough for an hour of
    /// four receivers at 10 Hz.
    private static let totalLimit = 144_000

    /// Returns the maximum number of fixes for each of `count` receivers.
    package static func limit(for count: Int) -> Int { min(36_000, totalLimit / max(1, count)) }

    /// The maximum number of fixes to keep.
    private var limit: Int
    private var kept: [RecentFix] = []
    /// The number of outdated fixes at the beginning of `kept`, which are removed later.
    private var start = 0
    private var isBroken = true
    /// The time of the last fix with a date minus its time of arrival, in nanoseconds; 0 before the
    /// first one.
    private var offset: Int64 = 0

    /// Creates an empty history for at most `limit` fixes.
    package init(limit: Int) {
        self.limit = max(2, limit)
    }

    /// The fixes, oldest first.
    package var fixes: ArraySlice<RecentFix> { kept[start...] }

    /// Ends the current segment, so that the next fix begins a new one.
    package mutating func endSegment() {
        isBroken = true
    }

    /// Adds a fix. A fix without a position ends the segment. `now` is the time of arrival in
    /// nanoseconds of Unix time, and `cn0` the mean C/N0 of the used satellites.
    package mutating func add(_ fix: Fix, cn0: Double?, now: Int64) {
        let time = time(of: fix, now: now)
        guard let new = RecentFix(fix, time: time, cn0: cn0) else { return endSegment() }
        if new.isDated {
            offset = time &- now
            removeUndated(after: time)
        }
        if let last = kept.last {
            let spacing = Self.length / Int64(limit)
            let (step, isBeyond) = time.subtractingReportingOverflow(last.time)
            if isBeyond || step < 0 || step > Self.length {
                // The time went back or jumped, for example because the receiver has corrected its
                // date or a recording has started again.
                removeAll()
            } else if !isBroken, step < spacing - spacing / 10 {
                // A tenth less than the spacing is accepted, because receivers' intervals vary.
                return
            }
        }
        kept.append(new)
        kept[kept.count - 1].beginsSegment = isBroken
        isBroken = false
        while start < kept.count - 1,
            kept.count - start > limit || time - kept[start].time > Self.length
        {
            start += 1
        }
        if start > 256, start > kept.count / 2 {
            kept.removeFirst(start)
            start = 0
        }
    }

    /// Returns the time of a fix or, without a date, of its arrival. If the system's clock differs
    /// from the stored dates, as with a recording, the time of arrival is converted to these.
    private func time(of fix: Fix, now: Int64) -> Int64 {
        if let time = fix.time?.unixNanoseconds { return time }
        guard let last = fixes.last else { return now }
        let (step, isBeyond) = now.subtractingReportingOverflow(last.time)
        return !isBeyond && (0...Self.length).contains(step) ? now : now &+ offset
    }

    /// Removes the last fixes without a date whose time of arrival is later than `time`. A receiver
    /// that has been opened again may report its first fix without a date, and the next one with an
    /// earlier time. That must not remove the fixes before both.
    private mutating func removeUndated(after time: Int64) {
        while kept.count > start, let last = kept.last, !last.isDated, last.time > time {
            isBroken = isBroken || last.beginsSegment
            kept.removeLast()
        }
    }

    /// Changes the maximum number of fixes. Omits stored fixes evenly if there are more.
    package mutating func setLimit(_ limit: Int) {
        self.limit = max(2, limit)
        let all = fixes
        guard all.count > self.limit else { return }
        let factor = (all.count + self.limit - 1) / self.limit
        (kept, start) = ([], 0)
        var beginsSegment = false
        for (index, fix) in all.enumerated() {
            beginsSegment = beginsSegment || fix.beginsSegment
            // The last fix is always kept.
            guard (all.count - 1 - index).isMultiple(of: factor) else { continue }
            kept.append(fix)
            kept[kept.count - 1].beginsSegment = beginsSegment
            beginsSegment = false
        }
    }

    private mutating func removeAll() {
        kept.removeAll()
        start = 0
        isBroken = true
    }

    /// Returns the fixes whose time is later than `time`, in nanoseconds of Unix time. Dates are
    /// compared in milliseconds, because reports contain truncated milliseconds: a client that
    /// requests the fixes after the last reported one must not receive that one again.
    package func fixes(after time: Int64) -> ArraySlice<RecentFix> {
        let first = fixes.firstIndex { fix in
            fix.isDated
                ? floorDivided(fix.time, 1_000_000) > floorDivided(time, 1_000_000)
                : fix.time > time
        }
        return fixes.suffix(from: first ?? fixes.endIndex)
    }

    /// The seconds between the last fixes; `nil` if unknown. One missing fix does not change it.
    package var period: Double? {
        let last = fixes.suffix(3)
        let steps = zip(last, last.dropFirst()).filter { !$1.beginsSegment }
            .map { Double($1.time - $0.time) / 1e9 }
        return steps.min()
    }

    /// Returns a selection of the fixes for a page's initial state: one per second in the last five
    /// minutes, one per four seconds before that. Returns fewer if the selections of all
    /// `receiverCount` receivers of the page would exceed `stateLimit`.
    package func thinned(receiverCount: Int) -> [RecentFix] {
        let all = thinned(spacing: 1)
        let excess = (all.count * receiverCount + Self.stateLimit - 1) / Self.stateLimit
        return excess > 1 ? thinned(spacing: min(receiverCount, excess)) : all
    }

    /// Returns the selection of `thinned(receiverCount:)` with the intervals multiplied by
    /// `factor`.
    private func thinned(spacing factor: Int) -> [RecentFix] {
        guard let end = fixes.last?.time else { return [] }
        var thinned: [RecentFix] = []
        var lastTime: Int64?
        var isBroken = false
        for fix in fixes {
            isBroken = isBroken || fix.beginsSegment
            let isRecent = end - fix.time < 300_000_000_000
            // 50 ms less than the interval is accepted, because receivers' intervals vary.
            let spacing = Int64(factor) * 1_000_000_000 * (isRecent ? 1 : 4) - 50_000_000
            let isDue = lastTime.map { fix.time - $0 >= spacing } ?? true
            guard isDue || fix.time == end else { continue }
            lastTime = fix.time
            var fix = fix
            (fix.beginsSegment, isBroken) = (isBroken, false)
            thinned.append(fix)
        }
        return thinned
    }
}

extension FixHistory {
    /// Returns the fixes as a JSON object with one array for each property, such as `lat` and
    /// `lon`.
    static func json(_ fixes: [RecentFix]) -> String {
        var object = JSONObject()
        let start = fixes.first?.time ?? 0
        func column(
            _ name: String, decimals: Int, _ value: (RecentFix) -> Double?
        ) {
            var text = TextBuffer()
            text.append(character: "[")
            for (index, fix) in fixes.enumerated() {
                if index > 0 { text.append(character: ",") }
                guard let value = value(fix), value.magnitude < 1e12 else {
                    text.append("null")
                    continue
                }
                text.append(fixed: value, decimals: decimals)
            }
            text.append(character: "]")
            object.add(name, json: String(decoding: text.array, as: UTF8.self))
        }
        object.add("start", Double(start) / 1e9, decimals: 3)
        column("seconds", decimals: 3) { Double($0.time - start) / 1e9 }
        column("lat", decimals: 7) { $0.latitude }
        column("lon", decimals: 7) { $0.longitude }
        column("alt", decimals: 1) { $0.shownAltitude }
        column("speed", decimals: 2) { $0.fix.speed }
        column("accuracy", decimals: 3) { $0.fix.accuracy.horizontal }
        column("hdop", decimals: 2) { $0.fix.dilution.hdop }
        column("cn0", decimals: 1) { $0.cn0.isFinite ? Double($0.cn0) : nil }
        column("used", decimals: 0) { $0.satellitesUsed.map(Double.init) }
        let breaks = fixes.indices.filter { fixes[$0].beginsSegment }
        object.add("breaks", json: "[" + breaks.map { "\($0)" }.joined(separator: ",") + "]")
        return object.description
    }
}

/// A fix with a position in a compact form of 80 bytes. All values except the time and the
/// coordinate have single precision.
package struct RecentFix: Sendable {
    /// The time in nanoseconds of Unix time: the receiver's time or, without a date, the time of
    /// arrival.
    package let time: Int64
    /// Whether `time` is the receiver's time.
    let isDated: Bool
    private let mode: FixMode
    private let quality: FixQuality
    private let integrity: Integrity.State?
    /// The time of day of a fix without a date, in milliseconds; -1 if unknown.
    private let millisecondsOfDay: Int32
    let latitude: Double
    let longitude: Double
    private let figures: (Float, Float, Float, Float, Float, Float, Float, Float, Float, Float)
    /// The mean C/N0 of the used satellites in dB-Hz; NaN if unknown.
    let cn0: Float
    /// The number of satellites used; 255 if unknown.
    private let used: UInt8
    /// Whether a new segment of the track begins with this fix, because there is a gap before it.
    package var beginsSegment = false

    /// Creates the compact form of a fix. Returns `nil` if the fix has no valid position.
    init?(_ fix: Fix, time: Int64, cn0: Double?) {
        guard fix.mode > .noFix, let position = fix.coordinate, position.isValid else { return nil }
        func single(_ value: Double?) -> Float { value.map { Float($0) } ?? .nan }
        self.time = time
        isDated = fix.time != nil
        let timeOfDay = fix.time == nil ? fix.timeOfDay : nil
        millisecondsOfDay = timeOfDay.map { Int32(clamping: $0.nanoseconds / 1_000_000) } ?? -1
        (latitude, longitude) = (position.latitude, position.longitude)
        figures = (
            single(fix.altitude), single(fix.ellipsoidalAltitude), single(fix.speed),
            single(fix.course), single(fix.accuracy.horizontal), single(fix.accuracy.vertical),
            single(fix.dilution.hdop), single(fix.dilution.vdop), single(fix.dilution.pdop),
            single(fix.geoidSeparation)
        )
        self.cn0 = single(cn0)
        (mode, quality, integrity) = (fix.mode, fix.quality, fix.integrity?.state)
        used = fix.satellitesUsed.map { UInt8(clamping: $0) } ?? 255
    }

    /// The number of satellites used; `nil` if unknown.
    var satellitesUsed: Int? { used < 255 ? Int(used) : nil }

    /// The altitude that the fix has in `TPV`, in metres: above mean sea level, also if the receiver
    /// reports only an ellipsoidal altitude and a model must be used; otherwise above the ellipsoid.
    package var shownAltitude: Double? {
        let fix = fix
        if let altitude = fix.altitude { return altitude }
        guard let height = fix.ellipsoidalAltitude else { return nil }
        guard mode == .threeD, let position = fix.coordinate,
            let separation = GeoidModel.separation(at: position)
        else { return height }
        return height - separation
    }

    /// A fix that contains the stored values. It has no time if the receiver reported no date; the
    /// time of arrival is not the time of the fix. Its integrity has a state, but no reasons.
    package var fix: Fix {
        func known(_ value: Float) -> Double? { value.isFinite ? Double(value) : nil }
        var fix = Fix()
        fix.time = isDated ? UTCTime(unixNanoseconds: time) : nil
        fix.timeOfDay =
            fix.time?.time ?? TimeOfDay(seconds: Double(millisecondsOfDay) / 1000)
        (fix.mode, fix.quality) = (mode, quality)
        fix.integrity = integrity.map { Integrity(state: $0) }
        fix.coordinate = Coordinate(latitude: latitude, longitude: longitude)
        fix.altitude = known(figures.0)
        fix.ellipsoidalAltitude = known(figures.1)
        fix.geoidSeparation = known(figures.9)
        fix.speed = known(figures.2)
        fix.course = known(figures.3)
        fix.accuracy.horizontal = known(figures.4)
        fix.accuracy.vertical = known(figures.5)
        fix.dilution = DilutionOfPrecision(
            hdop: known(figures.6), vdop: known(figures.7), pdop: known(figures.8))
        fix.satellitesUsed = satellitesUsed
        return fix
    }
}

/// Stores the satellite views of the last hour, one every two minutes.
struct SatelliteTrails: Sendable {
    private static let spacing = 120.0
    private static let limit = 30

    /// The views, oldest first.
    private(set) var views: [SatelliteView] = []
    private var last = -Double.infinity

    /// Stores a view, unless it is empty or the last one was stored less than two minutes before.
    /// `seconds` is the time on any clock.
    mutating func add(_ view: SatelliteView, at seconds: Double) {
        guard !(0..<Self.spacing ~= seconds - last), !view.signals.isEmpty else { return }
        last = seconds
        views.append(view)
        if views.count > Self.limit { views.removeFirst() }
    }

    /// The satellites' positions in the sky as JSON, in degrees:
    /// `{"G05":[[azimuth,elevation],…],…}`.
    var json: String {
        var trails: [SatelliteID: [String]] = [:]
        for view in views {
            for satellite in view.satellites {
                guard let azimuth = satellite.azimuth, let elevation = satellite.elevation,
                    0...360 ~= azimuth, 0...90 ~= elevation
                else { continue }
                trails[satellite.id, default: []].append(
                    "[\(Int(azimuth.rounded())),\(Int(elevation.rounded()))]")
            }
        }
        var object = JSONObject()
        for (id, trail) in trails.sorted(by: { $0.key < $1.key }) {
            object.add("\(id)", objects: trail)
        }
        return object.description
    }
}
