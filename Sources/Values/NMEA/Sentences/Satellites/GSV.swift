// SPDX-License-Identifier: MIT
import GNSS

/// Satellites in view: up to four in each sentence, and several sentences in a set.
///
///     $--GSV,x,x,xx,xx,xx,xxx,xx,…,h*hh
///     $GPGSV,3,1,10,05,62,286,44,07,41,103,40,13,55,214,43,14,12,052,31,1*6F
public struct GSV: Sentence, Hashable {
    public static let formatter: SentenceFormatter = "GSV"
    /// Three fields are required: the number of sentences, the number of this sentence and the
    /// number of satellites.
    public static let minimumFieldCount = 3

    /// One satellite in the list.
    public struct Entry: Hashable, Sendable {
        /// The number of the satellite, as sent.
        public var number: Int
        /// The elevation in degrees above the horizon.
        public var elevation: Double?
        /// The azimuth in degrees true.
        public var azimuth: Double?
        /// The carrier-to-noise density in dB-Hz; `nil` if the satellite is not tracked.
        public var cn0: Double?

        /// Creates an entry. Omit arguments whose values are unknown.
        public init(
            number: Int, elevation: Double? = nil, azimuth: Double? = nil, cn0: Double? = nil
        ) {
            self.number = number
            self.elevation = elevation
            self.azimuth = azimuth
            self.cn0 = cn0
        }
    }

    /// The number of sentences in the set. Airmar's receivers send it only in the first one.
    public var total: Int?
    /// The number of this sentence in the set, from 1.
    public var part: Int?
    /// The number of satellites in view, for this talker and signal. Airmar's receivers send it only
    /// in the first sentence.
    public var inView: Int?
    /// The listed signal, as a signal ID (NMEA 4.10).
    public var signalID: UInt8?
    /// The listed constellation, as a system ID. Only Quectel's talker PQ sends it.
    public var systemID: UInt8?

    /// The satellites listed, up to four. Further ones are ignored when this is set.
    public var entries: [Entry] {
        get { list.entries }
        set { list = List(newValue) }
    }

    /// The satellites listed. They are stored inline, because reading a sentence must not allocate
    /// memory.
    private var list = List()

    /// Reads the fields. An incomplete entry, or one without a number, is omitted.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        let head = Head(&fields)
        (total, part, inView) = (head.total, head.part, head.inView)
        (signalID, systemID) = (head.signalID, head.systemID)
        Self.readEntries(&fields) { if $0.number > 0 { list.append($0) } }
    }

    private struct List: Hashable, Sendable {
        private var stored = InlineArray<4, Entry>(repeating: Entry(number: 0))
        private var count = 0

        init() {}

        init(_ entries: some Sequence<Entry>) {
            for entry in entries { append(entry) }
        }

        var entries: [Entry] { (0..<count).map { stored[$0] } }

        @inline(__always)
        mutating func append(_ entry: Entry) {
            guard count < stored.count else { return }
            stored[count] = entry
            count += 1
        }

        func forEach(_ body: (Entry) -> Void) {
            for index in 0..<count { body(stored[index]) }
        }

        static func == (a: Self, b: Self) -> Bool { a.entries == b.entries }

        func hash(into hasher: inout Hasher) { hasher.combine(entries) }
    }

    /// The fields before and after the entries.
    private struct Head {
        let total, part, inView: Int?
        let signalID, systemID: UInt8?

        @inline(__always)
        init(_ fields: inout FieldReader) {
            (signalID, systemID) = GSV.ids(&fields)
            total = fields.integer()
            part = fields.integer()
            inView = fields.integer()
        }
    }

    @inline(__always)
    private static func readEntries(_ fields: inout FieldReader, _ body: (Entry) -> Void) {
        var cursor = fields.beginSatellites()
        for _ in 0..<min(4, max(0, (fields.count - 3) / 4)) { body(fields.satellite(&cursor)) }
    }

    /// Reads the signal ID and the system ID. Their positions depend on the number of fields.
    @inline(__always)
    private static func ids(_ fields: inout FieldReader) -> (signal: UInt8?, system: UInt8?) {
        // A sentence with more than four satellites does not follow the standard, so its last
        // fields are not interpreted.
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
        list = List(entries)
    }

    public func encode(into writer: inout SentenceWriter) {
        writer.integer(total)
        writer.integer(part)
        writer.integer(inView, width: 2)
        list.forEach { entry in
            writer.integer(entry.number, width: 2)
            writer.decimal(entry.elevation, decimals: 0, width: 2)
            writer.bearing(entry.azimuth, decimals: 0, width: 3)
            writer.decimal(entry.cn0, decimals: 0, width: 2)
        }
        if signalID != nil || systemID != nil { writer.hexadecimal(signalID) }
        if systemID != nil { writer.hexadecimal(systemID) }
    }

    /// Adds the satellites to the list of the talker. They do not change the fix itself.
    @inline(__always)
    public static func receive(
        _ fields: inout FieldReader, into assembler: inout FixAssembler
    ) throws(NMEAError) {
        // Each entry is added as soon as it is read, because a list of entries would need an
        // allocation.
        let head = Head(&fields)
        let address = fields.address
        let isOpen = assembler.satellites.begin(
            part: head.part ?? 0, of: head.total, inView: head.inView, signal: head.signalID ?? 0,
            system: head.systemID, from: address)
        guard isOpen else { throw .rejected(.gsvIncomplete) }
        let constellation = Constellation(talker: address, systemID: head.systemID)
        readEntries(&fields) { entry in
            let number = entry.number
            guard let id = SatelliteID(number: number, listedUnder: constellation) else { return }
            let second = SecondSignal(number: number, listedUnder: constellation)
            assembler.satellites.add(
                SatelliteSignal(
                    id: id, signal: second?.signal ?? 0, elevation: entry.elevation,
                    azimuth: entry.azimuth, cn0: entry.cn0))
        }
        guard assembler.satellites.end(constellation: constellation) else {
            throw .rejected(.gsvIncomplete)
        }
    }
}
