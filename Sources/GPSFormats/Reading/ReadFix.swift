// SPDX-License-Identifier: MIT
package import GNSS

extension Fix {
    /// Completes what follows from the rest: altitudes, dimensions and quality.
    ///
    /// `mode` and `quality` are those that the file has. A position without a quality counts as
    /// autonomous, one without dimensions as 3D where it has an altitude.
    package mutating func complete(mode: FixMode?, quality: FixQuality?) {
        guard coordinate != nil else { return }
        switch (altitude, ellipsoidalAltitude, geoidSeparation) {
        case (let msl?, nil, let separation?): ellipsoidalAltitude = msl + separation
        case (nil, let height?, let separation?): altitude = height - separation
        case (let msl?, let height?, nil): geoidSeparation = height - msl
        default: break
        }
        let hasAltitude = altitude != nil || ellipsoidalAltitude != nil
        self.mode = mode.flatMap { $0 == .noFix ? nil : $0 } ?? (hasAltitude ? .threeD : .twoD)
        self.quality = quality.flatMap { $0 == .invalid ? nil : $0 } ?? .autonomous
    }

    /// Sets the instant and its time of day.
    package mutating func set(time: UTCTime) {
        self.time = time
        timeOfDay = time.time
    }
}

extension Coordinate {
    /// A position on Earth; `nil` for anything else.
    package init?(checking latitude: Double, _ longitude: Double) {
        guard latitude.magnitude <= 90, longitude.magnitude <= 180 else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}

extension UTCTime {
    /// Reads ISO 8601, and the same with slashes and an offset of hours alone as GDAL writes it:
    /// `2026/03/21 12:00:00+00`.
    package init?(written text: String) {
        if let time = UTCTime(iso8601: text) {
            self = time
            return
        }
        var text = String(text.map { $0 == "/" ? "-" : $0 })
        let end = text.suffix(3)
        if end.first == "+" || (end.first == "-" && text.contains(":")) { text += ":00" }
        self.init(iso8601: text)
    }
}
