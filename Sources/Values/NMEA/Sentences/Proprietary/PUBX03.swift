// SPDX-License-Identifier: MIT
import GNSS

/// u-blox: all satellites, whether or not they are used.
///
///     $PUBX,03,xx,xx,a,xxx,xx,xx,xx,…*hh
///     $PUBX,03,3,05,U,286,62,44,64,211,e,103,41,,0,68,-,052,12,31,7*37
public struct PUBX03: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PUBX,03"

    /// One satellite in the list.
    public struct Entry: Hashable, Sendable {
        /// The number in u-blox's single-number scheme; see `SatelliteID.init(uBloxNumber:)`.
        public var number: Int
        /// The status: `-` not used, `U` used, `e` not used, but with known ephemeris.
        public var status: UInt8?
        /// The azimuth in degrees true.
        public var azimuth: Double?
        /// The elevation in degrees above the horizon.
        public var elevation: Double?
        /// The carrier-to-noise density in dB-Hz; `nil` if the satellite is not tracked.
        public var cn0: Double?
        /// The time since the signal was locked, in seconds. 64 means 64 or more.
        public var lockTime: Int?

        /// Creates an entry. Omit arguments whose values are unknown.
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

    /// The number of satellites in the list.
    public var count: Int?
    /// The satellites, in the order of the sentence.
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

    /// Sets the satellites used.
    public func contribute(to epoch: inout Epoch) {
        epoch.listUsed()
        for entry in entries where entry.status == UInt8(ascii: "U") {
            guard let id = SatelliteID(uBloxNumber: entry.number) else { continue }
            epoch.use(id)
        }
    }
}
