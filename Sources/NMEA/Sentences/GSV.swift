// SPDX-License-Identifier: MIT
public import GNSS

/// Satellites in view, up to four a sentence and several sentences a set.
///
///     $--GSV,x,x,xx,xx,xx,xxx,xx,…,h*hh
///     $GPGSV,3,1,10,05,62,286,44,07,41,103,40,13,55,214,43,14,12,052,31,1*6F
public struct GSV: Sentence, Hashable {
    /// `GSV`.
    public static let formatter: SentenceFormatter = "GSV"
    /// How many sentences, which one, how many satellites.
    public static let minimumFieldCount = 3

    /// One satellite as listed. Numbers are kept to a millionth.
    public struct Entry: Hashable, Sendable {
        private var storedNumber: Int32
        fileprivate var elevationMillionths: Millionths
        fileprivate var azimuthMillionths: Millionths
        fileprivate var cn0Millionths: Millionths

        /// Makes an entry; `number` is at most 999 999 999.
        public init(
            number: Int, elevation: Double? = nil, azimuth: Double? = nil, cn0: Double? = nil
        ) {
            self.init(
                number, Millionths(elevation), Millionths(azimuth), Millionths(cn0))
        }

        /// Nothing listed.
        @inline(__always)
        init() {
            self.init(0, Millionths(), Millionths(), Millionths())
        }

        @inline(__always)
        init(
            _ number: Int, _ elevation: Millionths, _ azimuth: Millionths, _ cn0: Millionths
        ) {
            storedNumber = Int32(clamping: number)
            elevationMillionths = elevation
            azimuthMillionths = azimuth
            cn0Millionths = cn0
        }

        /// Its number as sent.
        public var number: Int {
            get { Int(storedNumber) }
            set { storedNumber = Int32(clamping: newValue) }
        }

        /// Degrees above the horizon.
        public var elevation: Double? {
            get { elevationMillionths.value }
            set { elevationMillionths = Millionths(newValue) }
        }

        /// Degrees true.
        public var azimuth: Double? {
            get { azimuthMillionths.value }
            set { azimuthMillionths = Millionths(newValue) }
        }

        /// dB-Hz; `nil` where it is not tracked.
        public var cn0: Double? {
            get { cn0Millionths.value }
            set { cn0Millionths = Millionths(newValue) }
        }
    }

    /// Sentences in the set.
    public var total: Int? {
        get { storedTotal.value }
        set { storedTotal = WireCount(newValue) }
    }
    /// Which of them this is, from 1.
    public var part: Int? {
        get { storedPart.value }
        set { storedPart = WireCount(newValue) }
    }
    /// Satellites in view, of the talker and signal.
    public var inView: Int? {
        get { storedInView.value }
        set { storedInView = WireCount(newValue) }
    }
    private var storedTotal: WireCount
    private var storedPart: WireCount
    private var storedInView: WireCount
    /// NMEA 4.10: which signal is listed.
    public var signalID: UInt8?
    /// Quectel's PQ: which constellation is listed.
    public var systemID: UInt8?

    private var listed = InlineArray<4, Entry>(repeating: Entry())
    private var listedCount = 0

    /// Reads the fields; an entry that is cut short, or has no number, is left out.
    @inline(__always)
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        let (total, part, inView) = fields.listPart()
        storedTotal = WireCount(total)
        storedPart = WireCount(part)
        storedInView = WireCount(inView)
        var count = 0
        var cursor = fields.beginSatellites()
        for _ in 0..<Self.rows(of: fields.count) {
            let entry = fields.satellite(&cursor)
            listed[count] = entry
            if entry.number > 0 { count &+= 1 }
        }
        fields.endSatellites(cursor)
        listedCount = count
        switch fields.count & 3 {
        case 0: signalID = fields.hexadecimal()
        case 1 where fields.address.talkerKey == Self.quectel:
            signalID = fields.hexadecimal()
            systemID = fields.hexadecimal()
        default: break
        }
    }

    private static let quectel = Address.key("P", "Q")

    /// How many satellites so many fields list.
    @inline(__always)
    private static func rows(of count: Int) -> Int {
        min(4, max(0, (count &- 3) >> 2))
    }

    /// Makes one part of a set, with up to four entries.
    public init(
        total: Int, part: Int, inView: Int, entries: some Sequence<Entry>, signalID: UInt8? = nil
    ) {
        storedTotal = WireCount(total)
        storedPart = WireCount(part)
        storedInView = WireCount(inView)
        self.signalID = signalID
        for entry in entries.prefix(4) {
            listed[listedCount] = entry
            listedCount += 1
        }
    }

    /// The satellites listed, up to four.
    public var entries: [Entry] { (0..<listedCount).map { listed[$0] } }

    /// Same numbers and entries.
    public static func == (a: Self, b: Self) -> Bool {
        (a.total, a.part, a.inView) == (b.total, b.part, b.inView)
            && (a.signalID, a.systemID) == (b.signalID, b.systemID)
            && a.entries == b.entries
    }

    /// Hashes the numbers and entries.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(total)
        hasher.combine(part)
        hasher.combine(inView)
        hasher.combine(signalID)
        hasher.combine(systemID)
        hasher.combine(entries)
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

    /// Hands the satellites to the assembler's tracker, each as it is read; it says nothing about the
    /// fix itself.
    public static func receive(
        _ fields: inout FieldReader, into assembler: inout FixAssembler
    ) throws(NMEAError) {
        let address = fields.address
        guard address.talkerKey != quectel else {
            // Which constellation they are of stands behind the satellites.
            return try GSV(&fields).handOver(from: address, to: &assembler)
        }
        let (total, part, _) = fields.listPart()
        let talker = Contributor(rawValue: UInt64(address.talkerKey))
        guard assembler.satellites.begin(part: part ?? 0, of: total ?? 0, from: talker) else {
            throw .rejected(.gsvIncomplete)
        }
        let constellation = Constellation(talker: address, systemID: nil)
        let numbering = SatelliteNumbering(constellation)
        // Of more than four satellites what stands behind them is not known.
        let hasSignal = fields.count & 3 == 0 && fields.count <= 20
        let signalID = hasSignal ? fields.lastHexadecimal : nil
        // The room is made sure of once, and not for each satellite.
        var count = assembler.satellites.current.count
        var room = assembler.satellites.current.room.mutableSpan
        var cursor = fields.beginSatellites()
        for _ in 0..<rows(of: fields.count) {
            let entry = fields.satellite(&cursor)
            guard let signal = entry.signal(numbering, signalID ?? 0), count < room.count
            else { continue }
            room[count] = signal
            count &+= 1
        }
        fields.endSatellites(cursor)
        assembler.satellites.current.fill(count)
        // It is counted as malformed.
        if hasSignal, signalID == nil { _ = fields.hexadecimal() }
        assembler.satellites.end(signal: signalID ?? 0, constellation: constellation)
    }

    private func handOver(
        from address: Address, to assembler: inout FixAssembler
    ) throws(NMEAError) {
        let talker = Contributor(rawValue: UInt64(address.talkerKey))
        guard assembler.satellites.begin(part: part ?? 0, of: total ?? 0, from: talker) else {
            throw .rejected(.gsvIncomplete)
        }
        let constellation = Constellation(talker: address, systemID: systemID)
        let numbering = SatelliteNumbering(constellation)
        for index in 0..<listedCount {
            guard let signal = listed[index].signal(numbering, signalID ?? 0) else { continue }
            assembler.satellites.add(signal)
        }
        assembler.satellites.end(signal: signalID ?? 0, constellation: constellation)
    }
}

extension GSV.Entry {
    /// The entry as a satellite; `nil` where its number is none's.
    @inline(__always)
    fileprivate func signal(
        _ numbering: SatelliteNumbering, _ signalID: UInt8
    ) -> SatelliteSignal? {
        guard let id = numbering.satellite(number) else { return nil }
        return SatelliteSignal(
            id: id, signal: signalID, elevation: elevationMillionths, azimuth: azimuthMillionths,
            cn0: cn0Millionths)
    }
}
