// SPDX-License-Identifier: MIT
public import GNSS

/// Dimensions of the fix, satellites used, and dilution of precision.
///
///     $--GSA,a,x,xx,xx,xx,xx,xx,xx,xx,xx,xx,xx,xx,xx,x.x,x.x,x.x,h*hh
///     $GNGSA,A,3,05,07,13,14,20,28,30,,,,,,1.31,0.70,1.11,1*0A
public struct GSA: Sentence, Hashable {
    public static let formatter: SentenceFormatter = "GSA"
    /// Two fields are required, because some receivers omit the DOPs without a fix.
    public static let minimumFieldCount = 2

    /// How the receiver chooses between 2D and 3D: `A` automatically, `M` as set by the user.
    public var selection: UInt8?
    /// The dimensions that the receiver reports.
    public var fix: FixMode?
    /// The numbers of the satellites used, as sent.
    public var satellites = SatelliteNumbers()
    /// The position dilution of precision.
    public var pdop: Double?
    /// The horizontal dilution of precision.
    public var hdop: Double?
    /// The vertical dilution of precision.
    public var vdop: Double?
    /// The constellation of the satellites, as a system ID (NMEA 4.10).
    public var systemID: UInt8?

    /// Reads the fields. If there are more than twelve fields for satellites, the DOPs are the
    /// last three fields. A second ID after the system ID is ignored.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        selection = fields.letter()
        fix = fields.integer().flatMap { FixMode(rawValue: UInt8(clamping: $0)) }
        let hasTwoIDs = Self.endsWithTwoIDs(&fields)
        let slots = fields.count > 18 && !hasTwoIDs ? fields.count - 5 : 12
        let isShort = fields.count < 17
        satellites = fields.satelliteNumbers(isShort ? max(0, fields.count - 2) : slots)
        guard !isShort else { return }
        pdop = fields.dilution()
        hdop = fields.dilution()
        vdop = fields.dilution()
        // SiRF sends a decimal number here, which is not a system id.
        if fields.count == 18 || hasTwoIDs, fields.peek() != nil {
            systemID = fields.hexadecimal()
        }
    }

    /// Returns whether a sentence with nineteen fields ends with two IDs: a field with one
    /// character, and a field with at most one. A DOP has more characters.
    private static func endsWithTwoIDs(_ fields: inout FieldReader) -> Bool {
        guard fields.count == 19 else { return false }
        let comma = UInt8(ascii: ",")
        let end = fields.bodyEnd
        let endOfFirst = fields.bytes[end - 1] == comma ? end - 1 : end - 2
        return fields.bytes[endOfFirst] == comma && fields.bytes[endOfFirst - 1] != comma
            && fields.bytes[endOfFirst - 2] == comma
    }

    public init() {}

    /// Writes the fields. If there are more than twelve satellites, the system ID is omitted.
    public func encode(into writer: inout SentenceWriter) {
        writer.letter(selection)
        writer.integer(fix.map { Int($0.rawValue) })
        // For thirteen satellites, fourteen fields are written. Otherwise, a reader would assume
        // twelve satellites and take the last field of the sentence for a system ID.
        let slots = satellites.count > 12 ? max(14, satellites.count) : 12
        for index in 0..<slots {
            writer.integer(index < satellites.count ? satellites[index] : nil, width: 2)
        }
        writer.dilution(pdop)
        writer.dilution(hdop)
        writer.dilution(vdop)
        if systemID != nil, slots == 12 { writer.hexadecimal(systemID) }
    }

    /// Sets dimensions, DOPs and satellites used. The meaning of the satellite numbers depends on
    /// the constellation that the sentence lists.
    public func contribute(to epoch: inout Epoch) {
        if let fix { epoch.reportFix(fix) }
        let constellation = Constellation(talker: epoch.address, systemID: systemID)
        let dilution = DilutionOfPrecision(hdop: hdop, vdop: vdop, pdop: pdop)
        epoch.fill(dilution, of: constellation ?? constellationOfFirst)
        epoch.listUsed()
        for index in 0..<satellites.count {
            let id = SatelliteID(number: satellites[index], listedUnder: constellation)
            if let id { epoch.use(id) }
        }
    }

    /// The constellation of the first satellite according to its number; `nil` if unknown.
    private var constellationOfFirst: Constellation? {
        guard satellites.count > 0 else { return nil }
        return SatelliteID(number: satellites[0], listedUnder: nil)?.constellation
    }
}
