// SPDX-License-Identifier: MIT
public import GNSS

/// Fix data: position, quality, satellites used and altitude.
///
///     $--GGA,hhmmss.ss,ddmm.mm,a,dddmm.mm,a,x,xx,x.x,x.x,M,x.x,M,x.x,xxxx*hh
///     $GNGGA,101520.00,4812.50000,N,01622.42000,E,2,12,0.70,171.4,M,43.1,M,,0000*4C
public struct GGA: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "GGA"
    /// All fields up to the quality are required.
    public static let minimumFieldCount = 6

    /// The UTC time of the fix.
    public var time: TimeOfDay?
    /// The position, in degrees.
    public var coordinate: Coordinate?
    /// The quality, 0 to 8. NovAtel's quality 9, a fix with corrections from SBAS, is read as 2;
    /// any other value as `nil`. The altitude of such a sentence is used if another sentence
    /// reports a fix.
    public var quality: FixQuality?
    /// The number of satellites used. Depending on the receiver, only those of the talker's
    /// constellation are counted.
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

    public init() {}

    // Specialised here, because other modules call the generic `init(_:)` 1.5 times as slowly.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        self.init()
        self.fields(&fields)
    }

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.coordinate(&coordinate)
        coder.field(&quality) {
            Self.quality(&$0)
        } write: {
            $0.integer($1.map { Int($0.rawValue) })
        }
        coder.integer(&satellites, width: 2)
        coder.dilution(&hdop)
        coder.field(&altitude) {
            $0.metres()
        } write: {
            $0.metres($1, decimals: $0.decimals.altitude)
        }
        coder.field(&geoidSeparation, read: { $0.metres() }, write: { $0.metres($1, decimals: 1) })
        coder.decimal(&correctionAge, in: 0...1e9)
        coder.integer(&station, width: 4)
    }

    private static func quality(_ fields: inout FieldReader) -> FixQuality? {
        guard let number = fields.integer().flatMap(UInt8.init(exactly:)) else { return nil }
        return number == 9 ? .differential : FixQuality(rawValue: number)
    }

    public var timing: EpochTiming { .opens(time) }

    /// Sets position, altitude and quality.
    public func contribute(to epoch: inout Epoch) {
        let most = epoch.fix.satellitesUsed ?? 0
        epoch.fill(\.satellitesUsed, satellites.map { max($0, most) })
        epoch.fill(totalHDOP: hdop)
        guard quality != .invalid else { return epoch.reportNoFix() }
        if quality != nil || coordinate != nil {
            epoch.fill(\.altitude, altitude)
            epoch.fill(\.geoidSeparation, geoidSeparation)
        }
        guard let quality else { return }
        epoch.fill(\.coordinate, coordinate)
        epoch.fill(correctionAge: correctionAge, station: station, of: quality)
        // Fewer than three satellites are no evidence of a fix: some receivers count wrongly, and
        // some have lost the fix. Only the count of a single constellation may be that small. 0
        // without a DOP is an unknown number.
        let isUnknown = satellites == nil || satellites == 0 && hdop == nil
        guard
            !epoch.address.countsWholeFix || isUnknown || (satellites ?? 0) >= 3
                || quality.rawValue > 5
        else {
            return
        }
        epoch.reportFix(satellites: satellites)
        epoch.fill(quality: quality)
    }
}

extension Address {
    /// Whether a GGA with this talker counts all satellites of the fix. This is assumed for the
    /// talkers GP and GN.
    fileprivate var countsWholeFix: Bool {
        talkerKey == Address.key("G", "P") || talkerKey == Address.key("G", "N")
    }
}
