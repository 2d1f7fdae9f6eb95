// SPDX-License-Identifier: MIT
public import GNSS

/// Fix data from several constellations.
///
///     $--GNS,hhmmss.ss,ddmm.mm,a,dddmm.mm,a,c--c,xx,x.x,x.x,x.x,x.x,xxxx,a*hh
///     $GNGNS,101520.00,4812.50000,N,01622.42000,E,DAAN,12,0.70,171.4,43.1,,0000,V*15
public struct GNS: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "GNS"
    /// All fields up to the modes are required.
    public static let minimumFieldCount = 6

    /// The UTC time of the fix.
    public var time: TimeOfDay?
    /// The position, in degrees.
    public var coordinate: Coordinate?
    /// The mode of each constellation.
    public var modes = ModeIndicators()
    /// The number of satellites used.
    public var satellites: Int?
    /// The horizontal dilution of precision.
    public var hdop: Double?
    /// The altitude in metres above mean sea level.
    public var altitude: Double?
    /// The height of mean sea level above the ellipsoid, in metres.
    public var geoidSeparation: Double?
    /// The time since the last correction, in seconds.
    public var correctionAge: Double?
    /// The id of the reference station that sends the corrections.
    public var station: Int?
    /// The navigational status: `S` safe, `C` caution, `U` unsafe, `V` not provided (NMEA 4.10).
    public var navigationStatus: UInt8?

    public init() {}

    // Specialised here, because other modules call the generic `init(_:)` 1.5 times as slowly.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        self.init()
        self.fields(&fields)
    }

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.coordinate(&coordinate)
        coder.field(&modes, read: { $0.modes() }, write: { $0.modes($1) })
        coder.integer(&satellites, width: 2)
        coder.dilution(&hdop)
        coder.field(&altitude) {
            $0.decimal()
        } write: {
            $0.decimal($1, decimals: $0.decimals.altitude)
        }
        coder.decimal(&geoidSeparation)
        coder.decimal(&correctionAge, in: 0...1e9)
        coder.integer(&station, width: 4)
        coder.letter(&navigationStatus)
    }

    public var timing: EpochTiming { .opens(time) }

    /// Sets position, altitude, and the best quality of all constellations. A sentence of one
    /// constellation that follows that of all, as the standard describes it, has no modes: it only
    /// adds the corrections.
    public func contribute(to epoch: inout Epoch) {
        let most = epoch.fix.satellitesUsed ?? 0
        epoch.fill(\.satellitesUsed, satellites.map { max($0, most) })
        epoch.fill(totalHDOP: hdop)
        guard modes.count > 0 else {
            return epoch.fill(
                correctionAge: correctionAge, station: station, of: epoch.fix.quality)
        }
        guard modes.hasFix else { return epoch.reportNoFix() }
        epoch.fill(\.coordinate, coordinate)
        epoch.fill(\.altitude, altitude)
        epoch.fill(\.geoidSeparation, geoidSeparation)
        epoch.reportFix(satellites: satellites)
        var quality = FixQuality.invalid
        for index in 0..<modes.count {
            let mode = FixQuality(modeLetter: modes.letter(at: index)) ?? .invalid
            if mode.rank > quality.rank { quality = mode }
        }
        epoch.fill(quality: quality)
        epoch.fill(correctionAge: correctionAge, station: station, of: quality)
    }
}
