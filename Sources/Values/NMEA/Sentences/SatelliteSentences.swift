// SPDX-License-Identifier: MIT
public import GNSS

/// Satellite fault detection: expected errors and the satellite most likely at fault.
///
///     $--GBS,hhmmss.ss,x.x,x.x,x.x,xx,x.x,x.x,x.x,h,h*hh
///     $GNGBS,101520.00,1.4,1.2,2.9,,,,,,*55
public struct GBS: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "GBS"
    /// The time and the errors are required.
    public static let minimumFieldCount = 4

    /// The UTC time of the fix that the sentence describes.
    public var time: TimeOfDay?
    /// The expected one-sigma error of the latitude in metres.
    public var latitudeError: Double?
    /// The expected one-sigma error of the longitude in metres.
    public var longitudeError: Double?
    /// The expected one-sigma error of the altitude in metres.
    public var altitudeError: Double?
    /// The number of the satellite most likely at fault.
    public var failedSatellite: Int?
    /// The probability that a fault of the satellite is not detected.
    public var missedDetection: Double?
    /// The estimated range error of the satellite most likely at fault, in metres.
    public var bias: Double?
    /// The one-sigma error of the estimated range error in metres.
    public var biasError: Double?
    /// The constellation of the satellite most likely at fault, as a system ID (NMEA 4.10).
    public var systemID: UInt8?
    /// The signal of the satellite most likely at fault, as a signal ID (NMEA 4.10).
    public var signalID: UInt8?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.deviation(&latitudeError)
        coder.deviation(&longitudeError)
        coder.deviation(&altitudeError)
        coder.integer(&failedSatellite, width: 2)
        coder.decimal(&missedDetection)
        coder.decimal(&bias)
        coder.decimal(&biasError)
        coder.hexadecimal(&systemID)
        coder.hexadecimal(&signalID)
    }

    public var timing: EpochTiming { .opens(time) }

    public func contribute(to epoch: inout Epoch) {
        epoch.fill(\.expectedError.latitude, latitudeError)
        epoch.fill(\.expectedError.longitude, longitudeError)
        epoch.fill(\.expectedError.altitude, altitudeError)
    }
}

/// Range residuals: for each satellite used, the range calculated from the fix minus the measured
/// range.
///
///     $--GRS,hhmmss.ss,x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,h,h*hh
///     $GNGRS,101520.00,1,0.54,0.83,-1.15,1.39,-1.80,,,,,,,,1,1*44
package struct GRS: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "GRS"
    /// The time and the mode are required.
    package static let minimumFieldCount = 2

    /// The UTC time of the fix that the sentence describes.
    package var time: TimeOfDay?
    /// The mode: 0 if the residuals were used in the fix, 1 if they were calculated after it.
    package var mode: Int?
    /// The residuals in metres, in the order of the satellites in GSA, without trailing empty
    /// fields.
    package var residuals: [Double?] = []
    /// The constellation of the satellites, as a system ID (NMEA 4.10).
    package var systemID: UInt8?
    /// The signal of the satellites, as a signal ID (NMEA 4.10).
    package var signalID: UInt8?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.integer(&mode)
        coder.field(&residuals) { fields in
            var residuals = (0..<12).map { _ in fields.decimal() }
            while case .some(nil) = residuals.last { residuals.removeLast() }
            return residuals
        } write: { writer, residuals in
            for slot in 0..<12 {
                writer.decimal(slot < residuals.count ? residuals[slot] : nil, decimals: 1)
            }
        }
        coder.hexadecimal(&systemID)
        coder.hexadecimal(&signalID)
    }

    package var timing: EpochTiming { .attaches(time) }
}

/// Dimensions of the fix, satellites used, and dilution of precision.
///
///     $--GSA,a,x,xx,xx,xx,xx,xx,xx,xx,xx,xx,xx,xx,xx,x.x,x.x,x.x,h*hh
///     $GNGSA,A,3,05,07,13,14,20,28,30,,,,,,1.31,0.70,1.11,1*0A
public struct GSA: Sentence, Hashable {
    public static let formatter: SentenceFormatter = "GSA"
    /// Two fields are required, because some receivers omit the DOPs without a fix.
    public static let minimumFieldCount = 2

    /// How the receiver chooses between 2D and 3D: `A` automatically, `M` as set by the user.
    public var selection: UInt8?
    /// The dimensions that the receiver reports.
    public var fix: FixMode?
    /// The numbers of the satellites used, as sent.
    public var satellites = SatelliteNumbers()
    /// The position dilution of precision.
    public var pdop: Double?
    /// The horizontal dilution of precision.
    public var hdop: Double?
    /// The vertical dilution of precision.
    public var vdop: Double?
    /// The constellation of the satellites, as a system ID (NMEA 4.10).
    public var systemID: UInt8?

    /// Reads the fields. If there are more than twelve fields for satellites, the DOPs are the
    /// last three fields. A second ID after the system ID is ignored.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        selection = fields.letter()
        fix = fields.integer().flatMap { FixMode(rawValue: UInt8(clamping: $0)) }
        let hasTwoIDs = Self.endsWithTwoIDs(&fields)
        let slots = fields.count > 18 && !hasTwoIDs ? fields.count - 5 : 12
        let isShort = fields.count < 17
        satellites = fields.satelliteNumbers(isShort ? max(0, fields.count - 2) : slots)
        guard !isShort else { return }
        pdop = fields.dilution()
        hdop = fields.dilution()
        vdop = fields.dilution()
        // SiRF sends a decimal number here, which is not a system id.
        if fields.count == 18 || hasTwoIDs, fields.peek() != nil {
            systemID = fields.hexadecimal()
        }
    }

    /// Returns whether a sentence with nineteen fields ends with two IDs: a field with one
    /// character, and a field with at most one. A DOP has more characters.
    private static func endsWithTwoIDs(_ fields: inout FieldReader) -> Bool {
        guard fields.count == 19 else { return false }
        let comma = UInt8(ascii: ",")
        let end = fields.bodyEnd
        let endOfFirst = fields.bytes[end - 1] == comma ? end - 1 : end - 2
        return fields.bytes[endOfFirst] == comma && fields.bytes[endOfFirst - 1] != comma
            && fields.bytes[endOfFirst - 2] == comma
    }

    public init() {}

    /// Writes the fields. If there are more than twelve satellites, the system ID is omitted.
    public func encode(into writer: inout SentenceWriter) {
        writer.letter(selection)
        writer.integer(fix.map { Int($0.rawValue) })
        // For thirteen satellites, fourteen fields are written. Otherwise, a reader would assume
        // twelve satellites and take the last field of the sentence for a system ID.
        let slots = satellites.count > 12 ? max(14, satellites.count) : 12
        for index in 0..<slots {
            writer.integer(index < satellites.count ? satellites[index] : nil, width: 2)
        }
        writer.dilution(pdop)
        writer.dilution(hdop)
        writer.dilution(vdop)
        if systemID != nil, slots == 12 { writer.hexadecimal(systemID) }
    }

    /// Sets dimensions, DOPs and satellites used. The meaning of the satellite numbers depends on
    /// the constellation that the sentence lists.
    public func contribute(to epoch: inout Epoch) {
        if let fix { epoch.reportFix(fix) }
        let constellation = Constellation(talker: epoch.address, systemID: systemID)
        let dilution = DilutionOfPrecision(hdop: hdop, vdop: vdop, pdop: pdop)
        epoch.fill(dilution, of: constellation ?? constellationOfFirst)
        epoch.listUsed()
        for index in 0..<satellites.count {
            let id = SatelliteID(number: satellites[index], listedUnder: constellation)
            if let id { epoch.use(id) }
        }
    }

    /// The constellation of the first satellite according to its number; `nil` if unknown.
    private var constellationOfFirst: Constellation? {
        guard satellites.count > 0 else { return nil }
        return SatelliteID(number: satellites[0], listedUnder: nil)?.constellation
    }
}

/// Pseudorange error statistics: the receiver's estimate of its position error.
///
///     $--GST,hhmmss.ss,x.x,x.x,x.x,x.x,x.x,x.x,x.x*hh
///     $GNGST,101520.00,12,1.9,1.3,21.0,1.8,1.4,3.1*54
public struct GST: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "GST"
    /// All fields are required.
    public static let minimumFieldCount = 8

    /// The UTC time of the fix that the sentence describes.
    public var time: TimeOfDay?
    /// The root mean square of the range residuals in metres.
    public var rangeResidual: Double?
    /// The one-sigma error along the major axis of the error ellipse, in metres.
    public var semiMajor: Double?
    /// The one-sigma error along the minor axis of the error ellipse, in metres.
    public var semiMinor: Double?
    /// The direction of the major axis in degrees true.
    public var orientation: Double?
    /// The one-sigma error of the latitude in metres.
    public var latitudeError: Double?
    /// The one-sigma error of the longitude in metres.
    public var longitudeError: Double?
    /// The one-sigma error of the altitude in metres.
    public var altitudeError: Double?

    public init() {}

    // Specialised here, because other modules call the generic `init(_:)` 1.5 times as slowly.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        self.init()
        self.fields(&fields)
    }

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.deviation(&rangeResidual)
        coder.deviation(&semiMajor)
        coder.deviation(&semiMinor)
        coder.decimal(&orientation)
        coder.deviation(&latitudeError)
        coder.deviation(&longitudeError)
        coder.deviation(&altitudeError)
    }

    public var timing: EpochTiming { .attaches(time) }

    public func contribute(to epoch: inout Epoch) {
        epoch.fill(\.standardDeviation.latitude, latitudeError)
        epoch.fill(\.standardDeviation.longitude, longitudeError)
        epoch.fill(\.standardDeviation.altitude, altitudeError)
        epoch.fill(\.standardDeviation.semiMajor, semiMajor)
        epoch.fill(\.standardDeviation.semiMinor, semiMinor)
        epoch.fill(\.standardDeviation.orientation, orientation)
        epoch.fill(\.standardDeviation.range, rangeResidual)
    }
}

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
        if assembler.satellites.isWanted {
            readEntries(&fields) { entry in
                let number = entry.number
                guard let id = SatelliteID(number: number, listedUnder: constellation) else {
                    return
                }
                let second = SecondSignal(number: number, listedUnder: constellation)
                assembler.satellites.add(
                    SatelliteSignal(
                        id: id, signal: second?.signal ?? 0, elevation: entry.elevation,
                        azimuth: entry.azimuth, cn0: entry.cn0))
            }
        }
        guard assembler.satellites.end(constellation: constellation) else {
            throw .rejected(.gsvIncomplete)
        }
    }
}
