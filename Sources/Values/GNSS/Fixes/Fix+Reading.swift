// SPDX-License-Identifier: MIT

extension Fix {
    /// Completes a fix that was read from a file: removes impossible values, and sets its
    /// dimensions and quality. If two of altitude, ellipsoidal altitude and geoid separation are
    /// known, computes the third. A fix without a position is not changed.
    ///
    /// `mode` and `quality` are the values in the file; `nil` if they are missing. Without a
    /// quality, the position is autonomous. Without a mode, it is 3D if it has an altitude,
    /// otherwise 2D.
    package mutating func complete(mode: FixMode?, quality: FixQuality?) {
        guard coordinate != nil else { return }
        removeImpossibleValues()
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

    private static let noAltitudes = [-9999.0, -32_768]

    /// Removes numbers that no receiver measures. Many programs write -1 for an unknown value, as
    /// Apple's systems report it.
    private mutating func removeImpossibleValues() {
        let most = 1e9
        // Values of elevation models without data, which programs write for an unknown altitude.
        if let value = altitude, Self.noAltitudes.contains(value) { altitude = nil }
        if let value = ellipsoidalAltitude, Self.noAltitudes.contains(value) {
            ellipsoidalAltitude = nil
        }
        altitude.keep(in: -most...most)
        ellipsoidalAltitude.keep(in: -most...most)
        geoidSeparation.keep(in: -most...most)
        climb.keep(in: -most...most)
        speed.keep(in: 0...most)
        course.keep(in: 0...360)
        magneticCourse.keep(in: 0...360)
        dilution.hdop.keep(in: 0...most)
        dilution.vdop.keep(in: 0...most)
        dilution.pdop.keep(in: 0...most)
        // No receiver is exact: Android and others write 0 for an unknown accuracy.
        accuracy.horizontal.keep(in: .leastNonzeroMagnitude...most)
        accuracy.vertical.keep(in: .leastNonzeroMagnitude...most)
        correctionAge.keep(in: 0...most)
        satellitesUsed.keep(in: 0...9999)
    }

    /// The fix with an altitude above mean sea level from the model of the geoid; `nil` unless it has
    /// only an altitude above the ellipsoid. The sum of altitude and geoid separation stays exact.
    package var withModelledAltitude: Fix? {
        guard altitude == nil, let height = ellipsoidalAltitude, let coordinate,
            let separation = GeoidModel.separation(at: coordinate)
        else { return nil }
        var fix = self
        (fix.altitude, fix.geoidSeparation) = (height - separation, separation)
        return fix
    }

    /// Sets the time and the time of day.
    package mutating func set(time: UTCTime) {
        self.time = time
        timeOfDay = time.time
    }
}

extension Optional where Wrapped: Comparable {
    /// Sets the value to `nil` if it is outside a range or not a number.
    fileprivate mutating func keep(in range: ClosedRange<Wrapped>) {
        if let value = self, !range.contains(value) { self = nil }
    }
}

/// The meaning of a word in a file for a fix: its dimensions, its source, or only whether it is one.
package struct FixKind: Hashable, Sendable {
    /// The dimensions; `nil` if they are not known.
    package let mode: FixMode?
    /// The source; `nil` if it is not known.
    package let quality: FixQuality?

    /// Creates a kind.
    package init(mode: FixMode? = nil, quality: FixQuality? = nil) {
        (self.mode, self.quality) = (quality == .invalid ? .noFix : mode, quality)
    }

    /// Creates a kind from the quality in GGA sentences. Some receivers write 9 for SBAS.
    package init?(gga number: Int) {
        let raw = UInt8(exactly: number == 9 ? 2 : number)
        guard let quality = raw.flatMap(FixQuality.init) else { return nil }
        self.init(quality: quality)
    }

    /// Creates a kind from a word in any case and with any punctuation, such as `RTK_FIXED`, `3D` or
    /// `No fix`. Returns `nil` for an unknown word, also for a number.
    package init?(written text: String) {
        guard let kind = Self.words[Self.plain(text)] else { return nil }
        self = kind
    }

    /// Whether it is no fix.
    package var isNoFix: Bool { mode == .noFix }

    private static func plain(_ text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    private static let words = {
        let list: [(FixKind, words: String)] = [
            (
                FixKind(mode: .noFix),
                "nofix none no n false void v notfixed unfixed notvalid nogps nognss nosolution "
                    + "nosignal unavailable notavailable fixnotavailable searching"
            ),
            (FixKind(mode: .twoD), "2d 2dfix fix2d"), (FixKind(mode: .threeD), "3d 3dfix fix3d"),
            (
                FixKind(mode: .threeD, quality: .differential),
                "3ddgps 3ddgnss 3ddiff 3ddifferential"
            ),
            // NMEA's status `A` says that a position is valid, and not how it was determined.
            (FixKind(), "fix fixed valid true yes y t ok a unknown na nan null"),
            (
                FixKind(quality: .autonomous),
                "gps gnss sps spp single standalone gpsfix gnssfix gpsfixsps"
            ),
            (FixKind(quality: .differential), "dgps dgnss diff sbas waas egnos dgpsfix dgnssfix d"),
            (FixKind(quality: .precise), "pps ppsfix"),
            (FixKind(quality: .rtkFixed), "rtk rtkfix rtkfixedinteger"),
            (FixKind(quality: .rtkFloat), "float floatrtk frtk"),
            (FixKind(quality: .estimated), "estimateddr dr deadreckoning"),
            (FixKind(quality: .manual), "manualinput"),
            (FixKind(quality: .simulated), "simulator simulation"),
        ]
        var kinds: [String: FixKind] = ["": FixKind()]
        for quality in FixQuality.allCases {
            kinds[plain("\(quality.name)")] = FixKind(quality: quality)
        }
        for entry in list {
            for word in entry.words.split(separator: " ") { kinds[String(word)] = entry.0 }
        }
        return kinds
    }()
}

extension Coordinate {
    /// Creates a coordinate. Returns `nil` if a number is out of range.
    package init?(checking latitude: Double, _ longitude: Double) {
        guard latitude.magnitude <= 90, longitude.magnitude <= 180 else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}

extension UTCTime {
    /// Creates an instant from ISO 8601, also without seconds or in its basic form
    /// (`20260321T120000Z`), or from GDAL's variant with slashes: `2026/03/21 12:00:00+00`. The hour
    /// 24 of 24:00:00 is the start of the next day.
    package init?(written text: String) {
        if let time = UTCTime(iso8601: text) {
            self = time
            return
        }
        guard let (head, rest) = Self.completed(text) else { return nil }
        let text = head + rest
        if text.dropFirst(Self.hourStart).hasPrefix("24:00:00") {
            self.init(endOfDay: text)
        } else {
            self.init(iso8601: text)
        }
    }

    /// The number of characters before the hour.
    private static let hourStart = 11

    /// Creates an instant from a text with the hour 24, which ISO 8601 allows for the end of a day.
    private init?(endOfDay text: String) {
        let (day, rest) = (text.prefix(Self.hourStart), text.dropFirst(Self.hourStart + 2))
        guard let time = UTCTime(iso8601: "\(day)00\(rest)"),
            let date = CalendarDate(daysSince1970: time.date.daysSince1970 + 1)
        else { return nil }
        self.init(date: date, time: time.time)
    }

    /// The forms of a date with a time of day, in which a digit is 0, and a hyphen may be a slash.
    /// Those with seconds come first, because they begin like the others.
    private static let forms = [
        "0000-00-00T00:00:00", "00000000T000000", "0000-00-00T00:00", "00000000T0000",
    ].map { Array($0.utf8) }

    /// Returns the date and the time of day at the start of a text as `2026-03-21T12:00:00`, and the
    /// rest, which is a fraction of a second or an offset; `nil` for a text in another form.
    private static func completed(_ text: String) -> (head: String, rest: Substring)? {
        for form in forms {
            let head = text.utf8.prefix(form.count)
            guard head.count == form.count,
                zip(head, form).allSatisfy({ isByte($0, of: $1) })
            else { continue }
            let digits = String(decoding: head.filter { 0x30...0x39 ~= $0 }, as: UTF8.self)
            let rest = Substring(text.utf8.dropFirst(form.count))
            func part(_ start: Int, _ count: Int = 2) -> Substring {
                digits.dropFirst(start).prefix(count)
            }
            let seconds = part(12)
            // A fraction of a minute is not read.
            if seconds.isEmpty, rest.hasPrefix(".") || rest.hasPrefix(",") { return nil }
            return (
                "\(part(0, 4))-\(part(4))-\(part(6))T\(part(8)):\(part(10)):"
                    + (seconds.isEmpty ? "00" : seconds), rest
            )
        }
        return nil
    }

    private static func isByte(_ byte: UInt8, of mark: UInt8) -> Bool {
        switch mark {
        case UInt8(ascii: "0"): 0x30...0x39 ~= byte
        case UInt8(ascii: "-"): byte == mark || byte == UInt8(ascii: "/")
        case UInt8(ascii: "T"): byte | 0x20 == UInt8(ascii: "t") || byte == 0x20
        default: byte == mark
        }
    }

    /// Returns whether a text has the form of an instant that does not exist, such as
    /// `0000-00-00 00:00:00`. Some programs write it for an unknown time.
    package static func isImpossible(written text: String) -> Bool {
        completed(text).map { UTCTime(written: $0.head) == nil } ?? false
    }
}
