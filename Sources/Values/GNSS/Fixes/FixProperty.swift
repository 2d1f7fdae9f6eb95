// SPDX-License-Identifier: MIT

/// A numeric property of a fix, with its names in each format and the functions that get and set
/// it.
///
/// CSV, GeoJSON, the messages of `gpsbridge-fleet`, and the members of a `TPV` for instruments and
/// for a receiver's reports about itself are generated from one list, `all`.
package struct FixProperty: Sendable {
    /// How CSV represents a property.
    package enum Cell: Sendable {
        /// A column that is read, but not written.
        case read
        /// A column that is read and written as a number.
        case written
        /// A column that is read and written as a word, such as `rtk_fixed`.
        case mode, quality, integrity
        /// A column for an instrument of a vessel. It is written only on request.
        case instrument
        /// A column for a report of the receiver about itself. It is written only on request.
        case receiver
        /// The state of the vote, as a word. The column is written only if votes are requested.
        case voteState
        /// A number that belongs to the vote. The column is written only if votes are requested.
        case vote
        /// A number of receivers in the vote. The column is written only if votes are requested,
        /// and not read, because a vote contains names.
        case voteCount
    }

    /// A column of the messages of `gpsbridge-fleet`, and of the files that store unsent messages.
    package struct Column: Sendable {
        /// The index of the column in the messages. It must never change; new columns get the next
        /// index.
        package let index: Int
        package let name: String
        package let decimals: Int

        init(_ index: Int, _ name: String, _ decimals: Int) {
            (self.index, self.name, self.decimals) = (index, name, decimals)
        }
    }

    /// The name of the property: `geoidSeparation`.
    package let name: String
    /// The unit: `m`, `m/s` or `deg`; empty for a count or a ratio.
    package let unit: String
    /// The number of decimals in files.
    package let decimals: Int
    /// How CSV files represent the property; `nil` if they do not contain it.
    package let cell: Cell?
    /// Other names of the property in CSV files of other programs. Case is ignored.
    package let aliases: [String]
    /// The GeoJSON text before the number, such as `,"speed":`; `nil` for instruments and for
    /// properties that GeoJSON does not contain. The text is stored, because building it from parts
    /// would take a tenth of the time of a conversion.
    package let geoJSON: StaticString?
    /// The column in the messages of `gpsbridge-fleet`; `nil` if they do not contain the property.
    package let column: Column?
    /// The words for the numbers of the property; empty if it has none.
    package let words: [Word]
    /// The member of gpsd's `TPV`, if the list of properties defines it.
    package let member: Member?
    /// The text for people, if the list of properties defines it.
    package let label: Label?
    /// Returns the value in a fix; `nil` if it is unknown.
    package let value: @Sendable (Fix) -> Double?
    package let set: @Sendable (inout Fix, Double) -> Void

    /// Whether the value is a direction in degrees, from 0 to below 360.
    package let isDirection: Bool

    /// Returns a function that computes the value to write with `decimals` decimals. A direction
    /// that would be rounded to 360 is written as 0.
    package func written(decimals: Int) -> @Sendable (Fix) -> Double? {
        guard isDirection else { return value }
        return { [value] in value($0)?.direction(decimals: decimals) }
    }

    /// Returns the name in lower-case words with a separator between them: `geoid_separation`.
    package func words(separatedBy mark: String) -> String {
        name.map { $0.isUppercase ? mark + $0.lowercased() : String($0) }.joined()
    }

    /// Whether the value comes from another instrument of a vessel.
    package var isInstrument: Bool { cell == .instrument }

    /// The name of the property in GeoJSON; `nil` if GeoJSON does not contain it.
    package var memberName: String? {
        isInstrument ? name : geoJSON.map { String("\($0)".dropFirst(2).dropLast(2)) }
    }

    init(
        _ name: String, _ value: @escaping @Sendable (Fix) -> Double?,
        _ set: @escaping @Sendable (inout Fix, Double) -> Void, _ unit: String = "",
        _ decimals: Int = 3, isDirection: Bool = false, cell: Cell? = nil,
        aliases: [String] = [], geoJSON: StaticString? = nil, column: Column? = nil,
        words: [Word] = [], member: Member? = nil, label: Label? = nil
    ) {
        self.words = words
        self.member = member
        self.label = label
        self.name = name
        self.unit = unit
        self.decimals = decimals
        self.isDirection = isDirection
        self.cell = cell
        self.aliases = aliases
        self.geoJSON = geoJSON
        self.column = column
        self.value = value
        self.set = set
    }
}

extension FixProperty {
    /// The properties for a vessel's instruments. Their columns in `gpsbridge-fleet` are named as
    /// their members of a `TPV`.
    ///
    /// Wind speeds have one decimal, as in gpsd's `TPV`, so that all formats agree with JSON.
    ///
    /// `depth` must follow `depthOffset`, because gpsbabel's unicsv reads the last column with
    /// "depth" in its name.
    private static let instruments: [FixProperty] = [
        .init(.depthOffset, "m", 2, .own(#","depthOffset":"#, 3), column: 29, 3),
        .init(.depth, "m", 2, .gpsd(#","depth":"#, 3), column: 28, 3),
        .init(.waterTemperature, "degC", 1, .gpsd(#","wtemp":"#, 3), column: 30, 2),
        .init(
            .apparentWindAngle, "deg", 1, .gpsd(#","wangler":"#, 1), isDirection: true,
            column: 31, 2),
        .init(.apparentWindSpeed, "m/s", 1, .gpsd(#","wspeedr":"#, 1), column: 32, 3),
        .init(
            .trueWindAngle, "deg", 1, .own(#","trueWindAngle":"#, 1), isDirection: true,
            column: 33, 2),
        .init(
            .trueWindDirection, "deg", 1, .gpsd(#","wanglet":"#, 1), isDirection: true,
            column: 34, 2),
        .init(
            .magneticWindDirection, "deg", 1, .gpsd(#","wanglem":"#, 1), isDirection: true,
            column: 35, 2),
        .init(.trueWindSpeed, "m/s", 1, .gpsd(#","wspeedt":"#, 1), column: 36, 3),
        .init(.waterSpeed, "m/s", 2, .own(#","waterSpeed":"#, 3), column: 37, 3),
        .init(.log, "m", 0, .own(#","log":"#), column: 38, 1),
        .init(.tripLog, "m", 0, .own(#","tripLog":"#), column: 39, 1),
        .init(.rudder, "deg", 1, .own(#","rudder":"#, 1), column: 40, 2),
        .init(.engineSpeed, "rpm", 0, .own(#","engineSpeed":"#), column: 41, 1),
        .init(.portEngineSpeed, "rpm", 0, .own(#","portEngineSpeed":"#), column: 42, 1),
    ]

    /// The instruments' rows, by their quantities.
    package static let ofQuantity = Dictionary(
        instruments.compactMap { row in Instruments.Quantity(rawValue: row.name).map { ($0, row) } }
    ) { first, _ in first }

    private init(
        _ quantity: Instruments.Quantity, _ unit: String, _ decimals: Int, _ member: Member,
        isDirection: Bool = false, column index: Int, _ columnDecimals: Int
    ) {
        self.init(
            quantity.rawValue, { $0.instruments[quantity] }, { $0.instruments[quantity] = $1 },
            unit, decimals, isDirection: isDirection, cell: .instrument,
            column: Column(index, member.name, columnDecimals), member: member)
    }
}

extension FixProperty {
    /// All properties, in the order of the columns in files.
    package static let all = general + receiver + rare + instruments

    /// The last properties of `reported`, which a fix has only if Galileo's signatures are verified, here
    /// or by the receiver, or corrections are sent.
    package static let rare = signatures + corrections

    /// The properties with a label, which the screen, the page and metrics list. If they have a
    /// member, they are also written to JSON, and read from it.
    package static let reported = all.filter { $0.label != nil }

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
            "m", cell: .written,
            aliases: [
                "althae", "altitudehae", "hae", "ellipsoidalheight", "heightellipsoid",
                "altitudeellipsoid", "ellipsoidheight", "altellipsoid", "altitudewgs84",
            ]),
        .init(
            "altitude", { $0.altitude }, { $0.altitude = $1 },
            "m", cell: .written,
            aliases: [
                "alt", "ele", "elevation", "elev", "height", "altmsl", "altitudemsl", "msl", "hmsl",
                "mslaltitude", "altitudeabovesealevel", "gpsaltitude", "locationaltitude",
                "enhancedaltitude",
            ],
            geoJSON: #","altitude":"#, column: .init(4, "alt", 3)),
        .init(
            "geoidSeparation", { $0.geoidSeparation }, { $0.geoidSeparation = $1 },
            "m", cell: .written, aliases: ["geoidheight"], geoJSON: #","geoid":"#,
            column: .init(5, "geoid", 2)),
        .init(
            "speed", { $0.speed }, { $0.speed = $1 },
            "m/s", cell: .written,
            aliases: [
                "velocity", "vel", "spd", "groundspeed", "gpsspeed", "speedoverground",
                "locationspeed", "enhancedspeed",
            ], geoJSON: #","speed":"#,
            column: .init(6, "speed", 3)),
        .init(
            "course", { $0.course }, { $0.course = $1 },
            "deg", isDirection: true, cell: .written,
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
            cell: .quality, aliases: ["fixquality", "gpsquality"],
            column: .init(1, "quality", 0)),
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
            "climb", { $0.climb }, { $0.climb = $1 }, cell: .read, column: .init(8, "climb", 3)),
        .init(
            "magneticVariation", { $0.magneticVariation }, { $0.magneticVariation = $1 },
            cell: .read),
        .init(
            "correctionAge", { $0.correctionAge }, { $0.correctionAge = $1 },
            column: .init(17, "correctionAge", 1)),
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
