// SPDX-License-Identifier: MIT
package import GNSS

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
