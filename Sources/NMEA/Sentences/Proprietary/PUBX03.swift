// SPDX-License-Identifier: MIT
import GNSS

/// u-blox: the satellites, used or not.
///
///     $PUBX,03,xx,xx,a,xxx,xx,xx,xx,…*hh
///     $PUBX,03,3,05,U,286,62,44,64,211,e,103,41,,0,68,-,052,12,31,7*37
public struct PUBX03: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PUBX,03"

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
        /// Carrier-to-noise density in dB-Hz; `nil` if it is not tracked.
        public var cn0: Double?
        /// Seconds of lock; 64 is 64 or more.
        public var lockTime: Int?

        /// Creates an entry; unknown values are omitted.
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

        fileprivate mutating func fields(_ coder: inout some FieldCoder) {
            coder.field(&number, read: { $0.integer() ?? 0 }, write: { $0.integer($1, width: 2) })
            coder.letter(&status)
            coder.bearing(&azimuth, decimals: 0, width: 3)
            coder.decimal(&elevation, in: -90...90, decimals: 0, width: 2)
            coder.decimal(&cn0, in: 0...99, decimals: 0, width: 2)
            coder.integer(&lockTime, width: 3)
        }
    }

    /// Satellites listed.
    public var count: Int?
    /// In the order of the sentence.
    public var entries: [Entry] = []

    public init() {}

    public init(_ fields: inout FieldReader) throws(NMEAError) {
        entries = Array(repeating: Entry(number: 0), count: max(0, fields.count - 1) / 6)
        self.fields(&fields)
        entries.removeAll { $0.number == 0 }
    }

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.integer(&count, width: 2)
        for index in entries.indices { entries[index].fields(&coder) }
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
