// SPDX-License-Identifier: MIT
public import GNSS

/// Dimensions of the fix, satellites used, and dilution of precision.
///
///     $--GSA,a,x,xx,xx,xx,xx,xx,xx,xx,xx,xx,xx,xx,xx,x.x,x.x,x.x,h*hh
///     $GNGSA,A,3,05,07,13,14,20,28,30,,,,,,1.31,0.70,1.11,1*0A
public struct GSA: Sentence, Hashable {
    public static let formatter: SentenceFormatter = "GSA"
    /// Some receivers send no dilution where there is no fix.
    public static let minimumFieldCount = 2

    /// `A` automatic, `M` manual choice between two and three dimensions.
    public var selection: UInt8?
    /// The dimensions that the receiver reports.
    public var fix: FixMode?
    /// Numbers of the satellites used, as sent.
    public var satellites = SatelliteNumbers()
    /// Dilution of precision in space.
    public var pdop: Double?
    /// Dilution of precision in the plane.
    public var hdop: Double?
    /// Dilution of precision in height.
    public var vdop: Double?
    /// NMEA 4.10: the constellation of the satellites.
    public var systemID: UInt8?

    /// Reads the fields. If there are more than twelve slots, the dilutions are the last three
    /// fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        selection = fields.letter()
        fix = fields.integer().flatMap { FixMode(rawValue: UInt8(clamping: $0)) }
        let slots = fields.count > 18 ? fields.count - 5 : 12
        let isShort = fields.count < 17
        satellites = fields.satelliteNumbers(isShort ? max(0, fields.count - 2) : slots)
        guard !isShort else { return }
        pdop = fields.dilution()
        hdop = fields.dilution()
        vdop = fields.dilution()
        // SiRF sends a decimal number here, which is not a system id.
        if fields.count == 18, fields.peek() != nil { systemID = fields.hexadecimal() }
    }

    public init() {}

    /// Writes the fields; with more than twelve slots, the system id is left out.
    public func encode(into writer: inout SentenceWriter) {
        writer.letter(selection)
        writer.integer(fix.map { Int($0.rawValue) })
        // Thirteen would be read as twelve and a system id.
        let slots = satellites.count > 12 ? max(14, satellites.count) : 12
        for index in 0..<slots {
            writer.integer(index < satellites.count ? satellites[index] : nil, width: 2)
        }
        writer.dilution(pdop)
        writer.dilution(hdop)
        writer.dilution(vdop)
        if systemID != nil, slots == 12 { writer.hexadecimal(systemID) }
    }

    /// Dimensions, dilutions, and the satellites used, by the talker's constellation.
    public func contribute(to epoch: inout Epoch) {
        if let fix { epoch.reportFix(fix) }
        epoch.fill(\.dilution.hdop, hdop)
        epoch.fill(\.dilution.vdop, vdop)
        epoch.fill(\.dilution.pdop, pdop)
        epoch.listUsed()
        let constellation = Constellation(talker: epoch.address, systemID: systemID)
        for index in 0..<satellites.count {
            let id = SatelliteID(number: satellites[index], listedUnder: constellation)
            if let id { epoch.use(id) }
        }
    }
}
