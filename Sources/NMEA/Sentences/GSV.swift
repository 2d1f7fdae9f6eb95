// SPDX-License-Identifier: MIT
public import GNSS

/// Satellites in view, up to four a sentence and several sentences a set.
///
///     $--GSV,x,x,xx,xx,xx,xxx,xx,…,h*hh
///     $GPGSV,3,1,10,05,62,286,44,07,41,103,40,13,55,214,43,14,12,052,31,1*6F
public struct GSV: Sentence, Hashable {
    /// `GSV`.
    public static let formatter: Formatter = "GSV"
    /// How many sentences, which one, how many satellites.
    public static let minimumFieldCount = 3

    /// One satellite as listed.
    public struct Entry: Hashable, Sendable {
        /// Its number as sent.
        public var number: Int
        /// Degrees above the horizon.
        public var elevation: Double?
        /// Degrees true.
        public var azimuth: Double?
        /// dB-Hz; `nil` where it is not tracked.
        public var cn0: Double?

        /// Makes an entry.
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
    /// Which of them this is, from 1.
    public var part: Int?
    /// Satellites in view, of the talker and signal.
    public var inView: Int?
    /// NMEA 4.10: which signal is listed.
    public var signalID: UInt8?
    /// Quectel's PQ: which constellation is listed.
    public var systemID: UInt8?

    private var first: Entry?
    private var second: Entry?
    private var third: Entry?
    private var fourth: Entry?

    /// Reads the fields; an entry that is cut short, or has no number, is left out.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        total = fields.integer()
        part = fields.integer()
        inView = fields.integer()
        for _ in 0..<min(4, max(0, (fields.count - 3) / 4)) {
            if let entry = Self.entry(&fields) { append(entry) }
        }
        switch fields.count % 4 {
        case 0: signalID = fields.hexadecimal()
        case 1 where fields.address.talkerKey == Address.key("P", "Q"):
            signalID = fields.hexadecimal()
            systemID = fields.hexadecimal()
        default: break
        }
    }

    /// Makes one part of a set, with up to four entries.
    public init(
        total: Int, part: Int, inView: Int, entries: some Sequence<Entry>, signalID: UInt8? = nil
    ) {
        self.total = total
        self.part = part
        self.inView = inView
        self.signalID = signalID
        var iterator = entries.makeIterator()
        first = iterator.next()
        second = iterator.next()
        third = iterator.next()
        fourth = iterator.next()
    }

    /// The satellites listed, up to four.
    public var entries: [Entry] { [first, second, third, fourth].compactMap(\.self) }

    private mutating func append(_ entry: Entry) {
        if first == nil {
            first = entry
        } else if second == nil {
            second = entry
        } else if third == nil {
            third = entry
        } else {
            fourth = entry
        }
    }

    private static func entry(_ fields: inout FieldReader) -> Entry? {
        let number = fields.integer()
        let elevation = fields.decimal(in: -90...90)
        let azimuth = fields.bearing()
        let cn0 = fields.decimal(in: 0...99)
        guard let number, number > 0 else { return nil }
        return Entry(number: number, elevation: elevation, azimuth: azimuth, cn0: cn0)
    }

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.integer(total)
        writer.integer(part)
        writer.integer(inView, width: 2)
        for entry in entries {
            writer.integer(entry.number, width: 2)
            writer.decimal(entry.elevation, decimals: 0, width: 2)
            writer.decimal(entry.azimuth, decimals: 0, width: 3)
            writer.decimal(entry.cn0, decimals: 0, width: 2)
        }
        if signalID != nil || systemID != nil { writer.hexadecimal(signalID) }
        if systemID != nil { writer.hexadecimal(systemID) }
    }

    /// Hands the satellites to the assembler's tracker; it says nothing about the fix itself.
    public static func receive(
        _ fields: inout FieldReader, into assembler: inout FixAssembler
    ) throws(NMEAError) {
        let gsv = try GSV(&fields)
        let talker = Contributor(rawValue: UInt64(fields.address.talkerKey))
        guard assembler.satellites.begin(part: gsv.part ?? 0, of: gsv.total ?? 0, from: talker)
        else { throw .rejected(.gsvIncomplete) }
        let constellation = Constellation(talker: fields.address, systemID: gsv.systemID)
        let signal = gsv.signalID ?? 0
        func add(_ entry: Entry?) {
            guard let entry,
                let id = SatelliteID(number: entry.number, listedUnder: constellation)
            else { return }
            assembler.satellites.add(
                SatelliteSignal(
                    id: id, signal: signal, elevation: entry.elevation, azimuth: entry.azimuth,
                    cn0: entry.cn0))
        }
        add(gsv.first)
        add(gsv.second)
        add(gsv.third)
        add(gsv.fourth)
        assembler.satellites.end(signal: signal, constellation: constellation)
    }
}
