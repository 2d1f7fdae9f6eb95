// SPDX-License-Identifier: MIT
package import GNSS

extension Fix {
    /// Computes values that follow from others: altitudes, dimensions and quality.
    ///
    /// `mode` and `quality` are the file's. A position without a quality is autonomous; one without dimensions is
    /// 3D if it has an altitude.
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

    /// Sets the time and the time of day.
    package mutating func set(time: UTCTime) {
        self.time = time
        timeOfDay = time.time
    }
}

extension Coordinate {
    /// Creates a position; `nil` if it is not on Earth.
    package init?(checking latitude: Double, _ longitude: Double) {
        guard latitude.magnitude <= 90, longitude.magnitude <= 180 else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}

extension UTCTime {
    /// Parses ISO 8601, and GDAL's variant with slashes and an offset of hours only:
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
