// SPDX-License-Identifier: MIT
public import GNSS

/// A target that radar tracks.
///
///     $--TTM,xx,x.x,x.x,a,x.x,x.x,a,x.x,x.x,a,c--c,a,a,hhmmss.ss,a*hh
///     $RATTM,11,11.4,13.6,T,7.0,20.0,T,0.5,-2.3,N,FERRY,T,,101520.00,M*4A
public struct TTM: Sentence, Hashable {
    /// `TTM`.
    public static let formatter: SentenceFormatter = "TTM"
    /// Up to the status.
    public static let minimumFieldCount = 12

    /// 0 to 99, or to 999 in later versions.
    public var number: Int?
    /// In the unit that `unit` names.
    public var distance: Double?
    /// Degrees from our own ship.
    public var bearing: Double?
    /// `T` true, `R` relative to the bow.
    public var bearingReference: UInt8?
    /// In the unit that `unit` names, an hour.
    public var speed: Double?
    /// Degrees of the target.
    public var course: Double?
    /// `T` true, `R` relative to the bow.
    public var courseReference: UInt8?
    /// Distance of closest approach.
    public var closestDistance: Double?
    /// Minutes until then, negative past.
    public var closestTime: Double?
    /// `K` kilometres, `N` nautical miles, `S` statute miles.
    public var unit: UInt8?
    /// Its name.
    public var name: String?
    /// `L` lost, `Q` being acquired, `T` tracked.
    public var status: UInt8?
    /// `R`: the target is a reference for our own speed.
    public var reference: UInt8?
    /// NMEA 3.0: UTC of the data.
    public var time: TimeOfDay?
    /// NMEA 3.0: `A` automatic, `M` manual, `R` reported.
    public var acquisition: UInt8?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        number = fields.integer()
        distance = fields.decimal(in: 0...1e9)
        bearing = fields.bearing()
        bearingReference = fields.letter()
        speed = fields.decimal(in: 0...1e9)
        course = fields.bearing()
        courseReference = fields.letter()
        closestDistance = fields.decimal()
        closestTime = fields.decimal()
        unit = fields.letter()
        name = fields.text()
        status = fields.letter()
        reference = fields.letter()
        time = fields.time()
        acquisition = fields.letter()
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.integer(number, width: 2)
        writer.decimal(distance, decimals: 1)
        writer.decimal(bearing, decimals: 1)
        writer.letter(bearingReference)
        writer.decimal(speed, decimals: 1)
        writer.decimal(course, decimals: 1)
        writer.letter(courseReference)
        writer.decimal(closestDistance, decimals: 1)
        writer.decimal(closestTime, decimals: 1)
        writer.letter(unit)
        writer.text(name)
        writer.letter(status)
        writer.letter(reference)
        writer.time(time)
        writer.letter(acquisition)
    }
}
