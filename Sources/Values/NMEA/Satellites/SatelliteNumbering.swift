// SPDX-License-Identifier: MIT
package import GNSS
import UBX

extension Constellation {
    /// Creates the constellation that a sentence lists: the constellation of the talker or, if the
    /// talker combines several, of the system ID. Returns `nil` if it is unknown.
    ///
    /// A receiver may send the lists of all constellations with the talker of GPS, as with u-blox's
    /// setting `mainTalkerId`. Therefore, a system ID is preferred to that talker.
    @inline(__always)
    init?(talker address: Address, systemID: UInt8?) {
        switch address.talkerKey {
        case Address.key("G", "P"):
            self = systemID.flatMap { Constellation(systemID: $0) } ?? .gps
        case Address.key("G", "L"): self = .glonass
        case Address.key("G", "A"): self = .galileo
        case Address.key("G", "B"), Address.key("B", "D"): self = .beiDou
        case Address.key("G", "Q"), Address.key("Q", "Z"): self = .qzss
        case Address.key("G", "I"): self = .navIC
        default:
            guard let systemID, let system = Constellation(systemID: systemID) else { return nil }
            self = system
        }
    }
}

extension Address {
    /// Whether the talker stands for a single constellation other than GPS. GPS is excluded,
    /// because most receivers also use its talker for a fix from all constellations.
    var isOfOneConstellation: Bool {
        let constellation = Constellation(talker: self, systemID: nil)
        return constellation != nil && constellation != .gps
    }
}

extension Talker {
    /// The talker for GPS, including SBAS.
    public static let gps = Talker(rawValue: "GP")
    /// The talker for GLONASS.
    public static let glonass = Talker(rawValue: "GL")
    /// The talker for Galileo.
    public static let galileo = Talker(rawValue: "GA")
    /// The talker for BeiDou.
    public static let beiDou = Talker(rawValue: "GB")
    /// The talker for QZSS.
    public static let qzss = Talker(rawValue: "GQ")
    /// The talker for NavIC.
    public static let navIC = Talker(rawValue: "GI")
}

extension Address {
    static func key(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> UInt16 {
        UInt16(UInt8(ascii: first)) | UInt16(UInt8(ascii: second)) << 8
    }
}

extension SatelliteID {
    /// Creates the satellite for a number in a sentence. `constellation` is the constellation that
    /// the sentence lists, if known.
    ///
    /// Receivers use several numbering schemes, which differ in their ranges of numbers. 201 and
    /// 202 mean BeiDou unless they are listed under QZSS. Returns `nil` for a number outside all
    /// known ranges.
    package init?(number: Int, listedUnder constellation: Constellation?) {
        if let second = SecondSignal(number: number, listedUnder: constellation) {
            self = second.id
            return
        }
        let id: SatelliteID? =
            switch constellation {
            case nil, .gps, .sbas: Self.mixed(number)
            case .glonass: Self.glonass(number)
            case .galileo: Self.galileo(number)
            case .beiDou: Self.beiDou(number)
            case .qzss: Self.qzss(number)
            case .navIC: Self.navIC(number)
            }
        guard let id else { return nil }
        self = id
    }

    private static func mixed(_ n: Int) -> SatelliteID? {
        switch n {
        case 1...32: SatelliteID(.gps, n)
        case 33...64: SatelliteID(.sbas, n + 87)
        case 65...99: SatelliteID(.glonass, n - 64)
        case 120...158: SatelliteID(.sbas, n)
        // Unicore UM220: a list of used satellites without a system ID. The numbers after 172 may
        // be those of IMES.
        case 161...172: SatelliteID(.beiDou, n - 160)
        case 193...200: SatelliteID(.qzss, n - 192)
        case 201...264: SatelliteID(.beiDou, n - 200)
        case 301...336: SatelliteID(.galileo, n - 300)
        case 401...464: SatelliteID(.beiDou, n - 400)
        case 901...918: SatelliteID(.navIC, n - 900)
        default: nil
        }
    }

    private static func glonass(_ n: Int) -> SatelliteID? {
        switch n {
        case 1...32: SatelliteID(.glonass, n)
        case 33...64: SatelliteID(.sbas, n + 87)
        case 65...99: SatelliteID(.glonass, n - 64)
        case 120...158: SatelliteID(.sbas, n)
        default: nil
        }
    }

    private static func galileo(_ n: Int) -> SatelliteID? {
        switch n {
        case 1...36: SatelliteID(.galileo, n)
        case 101...136: SatelliteID(.galileo, n - 100)
        case 301...336: SatelliteID(.galileo, n - 300)
        default: nil
        }
    }

    private static func beiDou(_ n: Int) -> SatelliteID? {
        switch n {
        case 1...64: SatelliteID(.beiDou, n)
        // Trimble. Larger numbers of Trimble may be those of another scheme.
        case 101...140: SatelliteID(.beiDou, n - 100)
        // Unicore UM220.
        case 161...197: SatelliteID(.beiDou, n - 160)
        case 201...264: SatelliteID(.beiDou, n - 200)
        case 401...464: SatelliteID(.beiDou, n - 400)
        default: nil
        }
    }

    private static func qzss(_ n: Int) -> SatelliteID? {
        switch n {
        case 1...10: SatelliteID(.qzss, n)
        case 193...202: SatelliteID(.qzss, n - 192)
        default: nil
        }
    }

    private static func navIC(_ n: Int) -> SatelliteID? {
        switch n {
        case 1...15: SatelliteID(.navIC, n)
        case 33...64: SatelliteID(.sbas, n + 87)
        case 901...918: SatelliteID(.navIC, n - 900)
        default: nil
        }
    }
}

/// A second signal of a satellite, with a number of its own. Allystar's receivers list such numbers
/// before NMEA 4.10, which has no signal IDs.
struct SecondSignal {
    /// The satellite that transmits the signal.
    let id: SatelliteID
    /// The NMEA 4.11 signal ID.
    let signal: UInt8

    /// Returns `nil` for other numbers. Under BeiDou, numbers from 801 to 850 are not read: their
    /// range overlaps others.
    @inline(__always)
    init?(number: Int, listedUnder constellation: Constellation?) {
        guard number > 500, let constellation else { return nil }
        self.init(number, constellation)
    }

    private init?(_ n: Int, _ constellation: Constellation) {
        let found: (svid: Int, signal: UInt8)? =
            switch (constellation, n) {
            case (.gps, 501...532): (n - 500, 5)  // L2C
            case (.gps, 651...682): (n - 650, 7)  // L5
            case (.glonass, 565...596): (n - 564, 3)  // G2
            case (.galileo, 951...986): (n - 950, 1)  // E5a
            case (.beiDou, 601...663): (n - 600, 3)  // B1C
            case (.beiDou, 701...763): (n - 700, 11)  // B2I
            case (.beiDou, 851...913): (n - 850, 5)  // B2a
            default: nil
            }
        guard let found, let id = SatelliteID(constellation, found.svid) else { return nil }
        self.id = id
        signal = found.signal
    }
}

extension SatelliteID {
    /// Creates the satellite for a number in u-blox's single-number scheme, as in PUBX,03. Returns
    /// `nil` for a GLONASS satellite with an unknown slot (255), and for numbers outside the
    /// scheme.
    package init?(uBloxNumber number: Int) {
        guard let number = UInt8(exactly: number) else { return nil }
        self.init(singleNumber: number)
    }
}

/// Determines which signals in the satellite view a new list replaces. A list of all satellites
/// replaces every signal. Any other list replaces two groups: the signals with the same
/// constellation and signal ID from any talker, and the signals of its own talker with one of its
/// signal IDs.
struct ReplacedSignals {
    private let origin: ListOrigin
    /// For each constellation, the signal IDs whose signals are replaced regardless of their
    /// talker, one bit for each ID.
    private var listed = Constellation.Table<UInt16>(repeating: 0)

    /// Determines the signals that a list replaces. `constellation` is the constellation of the
    /// list's talker. It is used if the list is empty: the signals of this constellation are then
    /// removed.
    init(_ list: SatelliteList, _ constellation: Constellation?) {
        origin = list.origin
        for signal in list.signals {
            listed[Int(signal.id.constellation.rawValue)] |= Self.bit(signal)
        }
        if list.signals.isEmpty, let constellation {
            listed[Int(constellation.rawValue)] = origin.signalIDs == 1 ? .max : origin.signalIDs
        }
    }

    /// Returns whether the list replaces a signal from a list of the given talker.
    func contains(_ old: SatelliteSignal, of talker: UInt32) -> Bool {
        if origin.isComplete { return true }
        let own = talker == origin.talker ? origin.signalIDs : 0
        return (listed[Int(old.id.constellation.rawValue)] | own) & Self.bit(old) != 0
    }

    private static func bit(_ signal: SatelliteSignal) -> UInt16 {
        1 << UInt16(signal.signal & 15)
    }
}

/// Remembers where the signals of a satellite list are in the view, so that the next list with the
/// same signals can be written there directly instead of being merged. Without this, decoding and
/// assembling fixes takes 49 % more instructions.
struct SatelliteLayout: Sendable {
    let origin: ListOrigin
    /// The sort key of each signal and its index in the view, in the order of the list.
    private var positions: [(sortKey: UInt32, index: Int)] = []

    init(_ list: SatelliteList) {
        origin = list.origin
        positions.reserveCapacity(SatelliteList.usualCapacity)
    }

    /// Returns whether both values belong to the same list with the same signals. The positions are
    /// not compared, because they are checked before use.
    func hasSameState(with other: SatelliteLayout) -> Bool {
        origin == other.origin
            && positions.elementsEqual(other.positions) { $0.sortKey == $1.sortKey }
    }

    /// Forgets the positions of the signals. Call it when another list has replaced one of the
    /// signals.
    mutating func forget() {
        positions.removeAll(keepingCapacity: true)
    }

    /// Writes the signals to their positions. Returns `false` if the signals differ from those of
    /// the previous list.
    ///
    /// If it returns `false`, some signals may already have been written. This does no harm,
    /// because the list is then merged, which writes all its signals again.
    mutating func renew(_ view: inout [SatelliteSignal], from list: SatelliteList) -> Bool {
        guard positions.count == list.signals.count, !positions.isEmpty else { return false }
        let listed = list.signals.span
        var positions = positions.mutableSpan
        var view = view.mutableSpan
        for i in listed.indices {
            let key = listed[i].sortKey
            guard positions[i].sortKey == key else { return false }
            // Signals of other lists may have been added or removed before this position.
            var index = positions[i].index
            if index >= view.count || view[index].sortKey != key {
                index = 0
                while index < view.count, view[index].sortKey != key { index += 1 }
                guard index < view.count else { return false }
                positions[i].index = index
            }
            view[index] = listed[i]
        }
        return true
    }

    /// Stores the positions of the list's signals in `view`.
    mutating func note(_ list: SatelliteList, in view: [SatelliteSignal]) {
        positions.removeAll(keepingCapacity: true)
        var index = 0
        for signal in list.signals {
            // Most lists have the same order as the view, so the next signal is usually at the next
            // position.
            let key = signal.sortKey
            if index >= view.count || view[index].sortKey > key { index = 0 }
            while index < view.count, view[index].sortKey != key { index += 1 }
            positions.append((key, index < view.count ? index : 0))
        }
    }
}

/// Identifies the satellite list that a signal was received in. A later list from the same talker
/// with the same signal ID replaces that list.
struct ListOrigin: Equatable, Sendable {
    /// The key of the talker, as in `Address.talkerKey`. For Quectel's talker PQ, which lists
    /// several systems, bit 16 and higher bits contain the system ID.
    let talker: UInt32
    /// One bit for each signal ID in the list.
    var signalIDs: UInt16 = 0
    /// Whether the list contains all satellites of all constellations, as a UBX message does.
    var isComplete = false
}

/// The satellites that a talker lists for one signal. They are renewed and expire together.
struct ListGroup: Sendable {
    var talker: UInt32
    var signal: UInt8
    var renewedAt: Int64
    var interval: Int64
    /// Whether the list contains all satellites and signals of all constellations, as a UBX message
    /// does.
    var isComplete = false
    var isExpired = false
}

/// A list of satellites from one talker, received in parts.
struct SatelliteList: Equatable, Sendable {
    /// The maximum number of signals in a list. The longest lists are those of UBX, with up to 255
    /// signals.
    static let capacity = 256
    /// The number of signals for which memory is reserved. Few lists are longer.
    static let usualCapacity = 128

    /// The talker of the list, and the signal IDs received so far.
    private(set) var origin: ListOrigin
    /// The signals received so far.
    private(set) var signals: [SatelliteSignal] = []
    /// The number of parts; 0 before the first one.
    private(set) var total = 0
    /// The number of satellites in view, as sent in the first part.
    private var inView: Int?
    private var next = 1
    /// The signal ID of the current part, which is one sentence of the list.
    private var signal: UInt8 = 0
    /// The index of the first signal of the last part; `nil` if a repetition of that part is not
    /// accepted.
    private var lastStart: Int?
    /// If the current part may repeat the previous one, the index of the next signal to compare, or
    /// `Int.max` after a difference; otherwise `nil`.
    private var compared: Int?
    /// Whether a list was dropped because its first part was followed by another first part.
    private var wasInterrupted = false

    /// The state of a list at the end of a part.
    enum Progress { case incomplete, complete, dropped }

    init(talker: UInt32) {
        origin = ListOrigin(talker: talker)
        signals.reserveCapacity(Self.usualCapacity)
    }

    var talker: UInt32 { origin.talker }

    /// Whether some parts have been received, but not all.
    var isUnderWay: Bool { next > 1 && next <= total }

    /// Returns whether a part with these fields is the next one of an incomplete list.
    func expects(part number: Int, of total: Int, inView: Int?) -> Bool {
        isUnderWay && number == next && total == self.total && inView == self.inView
    }

    /// Ends the time in which a repetition of the part received last is accepted.
    mutating func endRepetition() { lastStart = nil }

    /// Begins a part, whose signals have the given ID unless they are added with their own. If the
    /// part neither follows the previous one nor may repeat it, drops the list and returns `false`.
    /// `isRead` is `false` if no signals are added. `hasEpochs` is `true` if the line has epochs, so
    /// that a list of one part which is received again is not the list of the next one.
    mutating func begin(
        part number: Int, of total: Int, inView: Int?, signal: UInt8, isRead: Bool, hasEpochs: Bool
    ) -> Bool {
        if number == next - 1, total == self.total, signal == self.signal, let lastStart,
            number > 1
                ? lastStart < signals.count || !isRead
                : inView == self.inView && (total > 1 || hasEpochs)
        {
            // On some lines, every sentence is sent twice.
            compared = lastStart
            return true
        }
        if number == 1 {
            wasInterrupted = isUnderWay
            self.total = total
            self.inView = inView
            next = 1
            origin.signalIDs = 0
            signals.removeAll(keepingCapacity: true)
        }
        guard next == number, self.total == total else {
            reset()
            return false
        }
        self.signal = signal
        lastStart = signals.count
        origin.signalIDs |= 1 << UInt16(signal & 15)
        return true
    }

    @inline(__always)
    mutating func add(_ signal: SatelliteSignal) {
        var signal = signal
        if signal.signal == 0 {
            signal.signal = self.signal
        } else {
            origin.signalIDs |= 1 << UInt16(signal.signal & 15)
        }
        guard compared == nil else { return compare(signal) }
        guard signals.count < Self.capacity else { return }
        signals.append(signal)
    }

    @inline(never)
    private mutating func compare(_ signal: SatelliteSignal) {
        guard let index = compared else { return }
        if index < signals.count, signals[index] == signal { return compared = index + 1 }
        guard isInFirstPart else { return compared = .max }
        restart(with: index)
        signals.append(signal)
    }

    /// Whether the part that may repeat the previous one is the first of a list.
    private var isInFirstPart: Bool { next == 2 }

    /// Begins a new list with `count` signals of the previous first part, which the current one
    /// has, too.
    private mutating func restart(with count: Int) {
        wasInterrupted = isUnderWay
        signals.removeSubrange(count...)
        origin.signalIDs = signals.reduce(1 << UInt16(signal & 15)) {
            $0 | 1 << UInt16($1.signal & 15)
        }
        next = 1
        compared = nil
    }

    /// Returns `true` once after a list was dropped because another one began.
    mutating func takeInterruption() -> Bool { exchange(&wasInterrupted, with: false) }

    /// Ends the part. Drops the list if the part has the number of the previous one, but not the
    /// same content, unless it is the first.
    mutating func end() -> Progress {
        if let compared {
            self.compared = nil
            if compared == signals.count { return .incomplete }
            guard isInFirstPart else {
                reset()
                return .dropped
            }
            restart(with: compared)
        }
        next += 1
        return next > total ? .complete : .incomplete
    }

    /// Replaces the content of the list with all satellites in view, received in one message.
    mutating func replaceAll(with all: [SatelliteSignal]) {
        reset()
        origin.signalIDs = .max
        origin.isComplete = true
        signals.removeAll(keepingCapacity: true)
        signals.append(contentsOf: all.prefix(Self.capacity))
    }

    private mutating func reset() {
        next = 1
        total = 0
        lastStart = nil
    }
}

/// A list of up to 24 satellite numbers as sent. It is stored without heap allocation.
public struct SatelliteNumbers: Hashable, Sendable {
    private static let capacity = 24

    private var numbers = InlineArray<24, UInt16>(repeating: 0)

    /// The number of elements in the list.
    public private(set) var count = 0

    /// Creates an empty list.
    public init() {}

    /// Creates a list of at most 24 numbers. Further numbers are dropped.
    public init(_ numbers: some Sequence<Int>) {
        for number in numbers { append(number) }
    }

    /// Adds a number. The number is dropped if the list already contains 24, or if it is not a
    /// satellite number.
    @inline(__always)
    public mutating func append(_ number: Int) {
        guard count < Self.capacity, 1...999 ~= number else { return }
        numbers[count] = UInt16(number)
        count += 1
    }

    /// The number at an index, which must be less than `count`.
    public subscript(index: Int) -> Int {
        // Access through the span avoids a copy of all numbers.
        Int(numbers.span[index])
    }

    /// Returns whether both lists contain the same numbers in the same order.
    public static func == (a: Self, b: Self) -> Bool {
        a.count == b.count && (0..<a.count).allSatisfy { a[$0] == b[$0] }
    }

    /// Hashes the numbers.
    public func hash(into hasher: inout Hasher) {
        for index in 0..<count { hasher.combine(self[index]) }
    }
}
