// SPDX-License-Identifier: MIT
import GNSS

/// Satellites in view, up to four a sentence and several sentences a set.
///
///     $--GSV,x,x,xx,xx,xx,xxx,xx,…,h*hh
///     $GPGSV,3,1,10,05,62,286,44,07,41,103,40,13,55,214,43,14,12,052,31,1*6F
public struct GSV: Sentence, Hashable {
    public static let formatter: SentenceFormatter = "GSV"
    /// The number of sentences, the number of this one, the number of satellites.
    public static let minimumFieldCount = 3

    /// One satellite as listed.
    public struct Entry: Hashable, Sendable {
        /// Its number as sent.
        public var number: Int
        /// Degrees above the horizon.
        public var elevation: Double?
        /// Degrees true.
        public var azimuth: Double?
        /// dB-Hz; `nil` if it is not tracked.
        public var cn0: Double?

        /// Creates an entry; unknown values are omitted.
        public init(
            number: Int, elevation: Double? = nil, azimuth: Double? = nil, cn0: Double? = nil
        ) {
            self.number = number
            self.elevation = elevation
            self.azimuth = azimuth
            self.cn0 = cn0
        }
    }

    /// Sentences in the set.
    public var total: Int?
    /// The number of this sentence in the set, from 1.
    public var part: Int?
    /// Satellites in view, of the talker and signal.
    public var inView: Int?
    /// NMEA 4.10: which signal is listed.
    public var signalID: UInt8?
    /// Quectel's PQ: which constellation is listed.
    public var systemID: UInt8?

    /// The satellites listed, up to four.
    public var entries: [Entry] = []

    /// Reads the fields; an entry that is cut short, or has no number, is left out.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        self.init(withoutEntries: &fields)
        entries.reserveCapacity(4)
        Self.readEntries(&fields) { if $0.number > 0 { entries.append($0) } }
    }

    @inline(__always)
    private init(withoutEntries fields: inout FieldReader) {
        (signalID, systemID) = Self.ids(&fields)
        total = fields.integer()
        part = fields.integer()
        inView = fields.integer()
    }

    @inline(__always)
    private static func readEntries(_ fields: inout FieldReader, _ body: (Entry) -> Void) {
        var cursor = fields.beginSatellites()
        for _ in 0..<min(4, max(0, (fields.count - 3) / 4)) { body(fields.satellite(&cursor)) }
    }

    /// The ids of signal and system, which are known only when all fields are counted.
    @inline(__always)
    private static func ids(_ fields: inout FieldReader) -> (signal: UInt8?, system: UInt8?) {
        // Of more than four satellites what stands behind them is not known.
        guard fields.count <= 21 else { return (nil, nil) }
        var end = fields.bodyEnd
        switch fields.count & 3 {
        case 0:
            return (fields.hexadecimal(before: &end), nil)
        case 1 where fields.address.talkerKey == quectel:
            let system = fields.hexadecimal(before: &end)
            return (fields.hexadecimal(before: &end), system)
        default:
            return (nil, nil)
        }
    }

    private static let quectel = Address.key("P", "Q")

    /// Creates one part of a set, with up to four entries.
    public init(
        total: Int, part: Int, inView: Int, entries: some Sequence<Entry>, signalID: UInt8? = nil
    ) {
        self.total = total
        self.part = part
        self.inView = inView
        self.signalID = signalID
        self.entries = Array(entries.prefix(4))
    }

    public func encode(into writer: inout SentenceWriter) {
        writer.integer(total)
        writer.integer(part)
        writer.integer(inView, width: 2)
        for entry in entries {
            writer.integer(entry.number, width: 2)
            writer.decimal(entry.elevation, decimals: 0, width: 2)
            writer.bearing(entry.azimuth, decimals: 0, width: 3)
            writer.decimal(entry.cn0, decimals: 0, width: 2)
        }
        if signalID != nil || systemID != nil { writer.hexadecimal(signalID) }
        if systemID != nil { writer.hexadecimal(systemID) }
    }

    /// Adds the satellites to the list of the talker; the fix itself is not in them.
    @inline(__always)
    public static func receive(
        _ fields: inout FieldReader, into assembler: inout FixAssembler
    ) throws(NMEAError) {
        // Each entry is added as it is read: a list of them would be an allocation.
        let sentence = Self(withoutEntries: &fields)
        let address = fields.address
        let isOpen = assembler.satellites.begin(
            part: sentence.part ?? 0, of: sentence.total ?? 0, signal: sentence.signalID ?? 0,
            from: address)
        guard isOpen else { throw .rejected(.gsvIncomplete) }
        let constellation = Constellation(talker: address, systemID: sentence.systemID)
        readEntries(&fields) { entry in
            guard let id = SatelliteID(number: entry.number, listedUnder: constellation)
            else { return }
            assembler.satellites.add(
                SatelliteSignal(
                    id: id, elevation: entry.elevation, azimuth: entry.azimuth, cn0: entry.cn0))
        }
        assembler.satellites.end(constellation: constellation)
    }
}
