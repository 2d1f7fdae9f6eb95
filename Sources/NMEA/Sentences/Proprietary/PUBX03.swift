// SPDX-License-Identifier: MIT
import GNSS

/// u-blox: the satellites, used or not.
///
///     $PUBX,03,xx,xx,a,xxx,xx,xx,xx,…*hh
///     $PUBX,03,3,05,U,286,62,44,64,211,e,103,41,,0,68,-,052,12,31,7*37
public struct PUBX03: Sentence, Hashable {
    /// `PUBX,03`.
    public static let formatter: SentenceFormatter = "PUBX,03"
    /// How many.
    public static let minimumFieldCount = 1

    /// One satellite.
    public struct Entry: Hashable, Sendable {
        /// In u-blox's single-number scheme; see `SatelliteID.init(uBloxNumber:)`.
        public var number: Int
        /// `-` not used, `U` used, `e` only its ephemeris is known.
        public var status: UInt8?
        /// Degrees true.
        public var azimuth: Double?
        /// Degrees above the horizon.
        public var elevation: Double?
        /// Carrier-to-noise density in dB-Hz; `nil` where it is not tracked.
        public var cn0: Double?
        /// Seconds of lock; 64 is 64 or more.
        public var lockTime: Int?

        /// Creates an entry; what is not known is left out.
        public init(
            number: Int, status: UInt8? = nil, azimuth: Double? = nil, elevation: Double? = nil,
            cn0: Double? = nil, lockTime: Int? = nil
        ) {
            self.number = number
            self.status = status
            self.azimuth = azimuth
            self.elevation = elevation
            self.cn0 = cn0
            self.lockTime = lockTime
        }

        init?(_ fields: inout FieldReader) {
            let number = fields.integer()
            let status = fields.letter()
            let azimuth = fields.bearing()
            let elevation = fields.decimal(in: -90...90)
            let cn0 = fields.decimal(in: 0...99)
            let lockTime = fields.integer()
            guard let number, number > 0 else { return nil }
            self.init(
                number: number, status: status, azimuth: azimuth, elevation: elevation, cn0: cn0,
                lockTime: lockTime)
        }

        func encode(into writer: inout SentenceWriter) {
            writer.integer(number, width: 2)
            writer.letter(status)
            writer.decimal(azimuth, decimals: 0, width: 3)
            writer.decimal(elevation, decimals: 0, width: 2)
            writer.decimal(cn0, decimals: 0, width: 2)
            writer.integer(lockTime, width: 3)
        }
    }

    /// Satellites listed.
    public var count: Int?
    /// In the order of the sentence.
    public var entries: [Entry] = []

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        count = fields.integer()
        for _ in 0..<max(0, fields.count - 1) / 6 {
            if let entry = Entry(&fields) { entries.append(entry) }
        }
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.integer(count, width: 2)
        for entry in entries { entry.encode(into: &writer) }
    }

    /// The satellites used.
    public func contribute(to epoch: inout Epoch) {
        epoch.listUsed()
        for entry in entries where entry.status == UInt8(ascii: "U") {
            guard let id = SatelliteID(uBloxNumber: entry.number) else { continue }
            epoch.use(id)
        }
    }
}
