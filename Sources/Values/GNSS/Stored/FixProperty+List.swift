// SPDX-License-Identifier: MIT

extension FixProperty {
    /// All properties, in the order of the columns in files.
    package static let all = general + instruments

    private static let general: [FixProperty] = [
        .init(
            "latitude", { $0.coordinate?.latitude },
            { $0.coordinate = Coordinate(latitude: $1, longitude: $0.coordinate?.longitude ?? 0) },
            "deg", 9, cell: .written,
            aliases: ["lat", "y", "gpslatitude", "locationlatitude", "positionlat"],
            column: .init(2, "lat", 8)),
        .init(
            "longitude", { $0.coordinate?.longitude },
            { $0.coordinate = Coordinate(latitude: $0.coordinate?.latitude ?? 0, longitude: $1) },
            "deg", 9, cell: .written,
            aliases: [
                "lon", "lng", "long", "x", "gpslongitude", "locationlongitude", "positionlong",
            ],
            column: .init(3, "lon", 8)),
        .init(
            "ellipsoidalAltitude", { $0.ellipsoidalAltitude }, { $0.ellipsoidalAltitude = $1 },
            "m", isStored: true, cell: .written,
            aliases: [
                "althae", "altitudehae", "hae", "ellipsoidalheight", "heightellipsoid",
                "altitudeellipsoid", "ellipsoidheight", "altellipsoid", "altitudewgs84",
            ]),
        .init(
            "altitude", { $0.altitude }, { $0.altitude = $1 },
            "m", isStored: true, cell: .written,
            aliases: [
                "alt", "ele", "elevation", "elev", "height", "altmsl", "altitudemsl", "msl", "hmsl",
                "mslaltitude", "altitudeabovesealevel", "gpsaltitude", "locationaltitude",
                "enhancedaltitude",
            ],
            geoJSON: #","altitude":"#, column: .init(4, "alt", 3)),
        .init(
            "geoidSeparation", { $0.geoidSeparation }, { $0.geoidSeparation = $1 },
            "m", isStored: true, cell: .written, aliases: ["geoidheight"], geoJSON: #","geoid":"#,
            column: .init(5, "geoid", 2)),
        .init(
            "speed", { $0.speed }, { $0.speed = $1 },
            "m/s", isStored: true, cell: .written,
            aliases: [
                "velocity", "vel", "spd", "groundspeed", "gpsspeed", "speedoverground",
                "locationspeed", "enhancedspeed",
            ], geoJSON: #","speed":"#,
            column: .init(6, "speed", 3)),
        .init(
            "course", { $0.course }, { $0.course = $1 },
            "deg", isDirection: true, isStored: true, cell: .written,
            aliases: [
                "bearing", "heading", "track", "cog", "direction", "courseoverground", "gcrs",
                "locationcourse", "gpsbearing",
            ], geoJSON: #","course":"#,
            column: .init(7, "course", 2)),
        .init(
            "mode", { Double($0.mode.rawValue) },
            { $0.mode = UInt8(exactly: $1).flatMap { FixMode(rawValue: $0) } ?? .noFix },
            cell: .mode, aliases: ["fix"], column: .init(0, "mode", 0)),
        .init(
            "quality", { Double($0.quality.rawValue) },
            { $0.quality = UInt8(exactly: $1).flatMap { FixQuality(rawValue: $0) } ?? .invalid },
            cell: .quality, column: .init(1, "quality", 0)),
        .init(
            "satellitesUsed", { $0.satellitesUsed.map(Double.init) },
            { $0.satellitesUsed = Int(exactly: $1) },
            "", 0, cell: .written,
            aliases: [
                "sat", "sats", "satellites", "nsat", "nsats", "numsat", "numsats", "usat",
                "gpssatellites",
            ], geoJSON: #","satellites":"#,
            column: .init(15, "used", 0)),
        .init(
            "hdop", { $0.dilution.hdop }, { $0.dilution.hdop = $1 },
            "", 2, cell: .written, geoJSON: #","hdop":"#, column: .init(12, "hdop", 2)),
        .init(
            "vdop", { $0.dilution.vdop }, { $0.dilution.vdop = $1 },
            "", 2, cell: .written, geoJSON: #","vdop":"#, column: .init(13, "vdop", 2)),
        .init(
            "pdop", { $0.dilution.pdop }, { $0.dilution.pdop = $1 },
            "", 2, cell: .written, geoJSON: #","pdop":"#, column: .init(14, "pdop", 2)),
        .init(
            "horizontalAccuracy", { $0.accuracy.horizontal }, { $0.accuracy.horizontal = $1 },
            "m", cell: .written,
            aliases: [
                "accuracy", "acc", "hacc", "accuracyhorizontal", "gpsaccuracy",
                "locationhorizontalaccuracy",
            ], geoJSON: #","horizontal_accuracy":"#,
            column: .init(10, "hacc", 3)),
        .init(
            "verticalAccuracy", { $0.accuracy.vertical }, { $0.accuracy.vertical = $1 },
            "m", cell: .written,
            aliases: ["vac", "vacc", "accuracyvertical", "locationverticalaccuracy"],
            geoJSON: #","vertical_accuracy":"#, column: .init(11, "vacc", 3)),
        .init(
            "integrity", { $0.integrity.map { Double($0.state.number) } },
            { $0.integrity = Integrity.State(number: $1).map { Integrity(state: $0) } },
            cell: .integrity, column: .init(21, "integrity", 0)),
        .init(
            "climb", { $0.climb }, { $0.climb = $1 },
            isStored: true, cell: .read, column: .init(8, "climb", 3)),
        .init(
            "magneticVariation", { $0.magneticVariation }, { $0.magneticVariation = $1 },
            isStored: true, cell: .read),
        .init(
            "magneticCourse", { $0.magneticCourse }, { $0.magneticCourse = $1 },
            isStored: true),
        .init(
            "correctionAge", { $0.correctionAge }, { $0.correctionAge = $1 },
            isStored: true, column: .init(17, "correctionAge", 1)),
        .init(
            "correctionStation", { $0.correctionStation.map(Double.init) },
            { $0.correctionStation = Int(exactly: $1) },
            column: .init(18, "station", 0)),
        .init(
            "satellitesInView", { $0.satellitesInView.map(Double.init) },
            { $0.satellitesInView = Int(exactly: $1) },
            column: .init(16, "inView", 0)),
        .init(
            "heading", { $0.attitude.heading }, { $0.attitude.heading = $1 },
            column: .init(9, "heading", 2)),
        // `timeOfDay` is written only until a date is known.
        .init(
            "timeOfDay",
            { $0.time == nil ? $0.timeOfDay.map { Double($0.nanoseconds) / 1e9 } : nil },
            { $0.timeOfDay = TimeOfDay(seconds: $1) }, column: .init(19, "timeOfDay", 3)),
        // `odometer` only defines a fleet column, because it is not a property of a single fix. It
        // is the distance over ground since the bridge was started, in metres.
        .init(
            "odometer", { _ in nil }, { _, _ in },
            column: .init(20, "odometer", 2)),
        .init(
            "vote", { $0.vote.map { Double($0.state.number) } },
            { $0.vote = Vote.State(number: $1).map { Vote(state: $0) } }, cell: .voteState,
            column: .init(22, "vote", 0)),
        .init(
            "voteRadius", { $0.vote?.radius }, { $0.vote?.radius = $1 }, "m", 1,
            cell: .vote,
            column: .init(23, "voteRadius", 3)),
        // Setting a count has no effect, because a vote contains names, not counts.
        .init(
            "voteWitnesses", { $0.vote.flatMap { count($0, $0.witnesses) } }, { _, _ in },
            "", 0, cell: .voteCount,
            column: .init(24, "voteWitnesses", 0)),
        .init(
            "voteDisagreeing", { $0.vote.flatMap { count($0, $0.disagreeing) } }, { _, _ in },
            "", 0, cell: .voteCount,
            column: .init(25, "voteDisagreeing", 0)),
        // `anchor` and `anchorDistance`, too, only define fleet columns, because the state of an
        // anchor watch is not a property of a fix.
        .init("anchor", { _ in nil }, { _, _ in }, column: .init(26, "anchor", 0)),
        .init(
            "anchorDistance", { _ in nil }, { _, _ in }, "m", 1,
            column: .init(27, "anchorDistance", 1)),
    ]

    /// Returns the number of names; `nil` if the vote was read from a format without names.
    private static func count(_ vote: Vote, _ names: [String]) -> Double? {
        vote.hasNames ? Double(names.count) : nil
    }
}
