// SPDX-License-Identifier: MIT

/// The dilutions of precision that a receiver does not report, calculated from the directions of
/// the satellites used.
///
/// As in gpsd, all constellations are assumed to use the same system time.
package struct SatelliteGeometry: Hashable, Sendable {
    /// The east DOP.
    package let xdop: Double
    /// The north DOP.
    package let ydop: Double
    /// The time DOP.
    package let tdop: Double
    /// The geometric DOP, in space and time.
    package let gdop: Double

    /// Creates the DOPs. Returns `nil` if there are fewer than four directions, or if they do not
    /// determine a position.
    fileprivate init?(_ directions: [SkyGeometry.Direction]) {
        guard directions.count >= 4 else { return nil }
        var normal = NormalMatrix()
        for direction in directions { normal.add(direction) }
        guard let variances = normal.invertedDiagonal() else { return nil }
        xdop = variances.x.squareRoot()
        ydop = variances.y.squareRoot()
        tdop = variances.w.squareRoot()
        gdop = variances.sum().squareRoot()
    }
}

/// The numbers of satellites in successive views, and the geometry of those used.
///
/// Receivers report directions in whole degrees, so most views have the geometry of the view before
/// them. It is calculated again only if a direction, or the set of satellites used, has changed.
package struct SkyGeometry: Equatable {
    fileprivate struct Direction: Equatable {
        let elevation: Double
        let azimuth: Double
    }

    /// The DOPs of the last view; `nil` if they cannot be calculated.
    package private(set) var geometry: SatelliteGeometry?
    /// The number of satellites in view.
    package private(set) var inView = 0
    /// The number of satellites used.
    package private(set) var used = 0
    /// The directions of the satellites used.
    private var directions: [Direction] = []

    package init() {}

    /// Replaces the values by those of the next view.
    package mutating func update(_ view: SatelliteView) {
        (inView, used) = (0, 0)
        var (count, index, hasChanged) = (0, 0, false)
        let signals = view.signals.span
        while let satellite = SatelliteView.nextCombinedSignal(of: signals, after: &index) {
            inView &+= 1
            guard view.used.contains(satellite.id) else { continue }
            used &+= 1
            guard let elevation = satellite.elevation, let azimuth = satellite.azimuth else {
                continue
            }
            let direction = Direction(elevation: elevation, azimuth: azimuth)
            if count == directions.count {
                directions.append(direction)
                hasChanged = true
            } else if directions[count] != direction {
                directions[count] = direction
                hasChanged = true
            }
            count &+= 1
        }
        if count < directions.count {
            directions.removeLast(directions.count - count)
            hasChanged = true
        }
        if hasChanged { geometry = SatelliteGeometry(directions) }
    }
}

/// The normal matrix of the least-squares solution: the sum over the satellites of the products of
/// the components east, north, up and 1.
private struct NormalMatrix {
    private var columns = (
        SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>()
    )

    mutating func add(_ direction: SkyGeometry.Direction) {
        let (up, across) = PortableMath.sinCos(direction.elevation * (.pi / 180))
        let (east, north) = PortableMath.sinCos(direction.azimuth * (.pi / 180))
        let row = SIMD4(across * east, across * north, up, 1)
        columns.0 += row * row.x
        columns.1 += row * row.y
        columns.2 += row * row.z
        columns.3 += row
    }

    /// Returns the diagonal of the inverse; `nil` if the matrix is singular or a DOP is 1000
    /// or more.
    ///
    /// It uses Gauss-Jordan elimination. The matrix is symmetric and positive, so the pivots are on
    /// its diagonal.
    consuming func invertedDiagonal() -> SIMD4<Double>? {
        var rows: InlineArray<4, SIMD4<Double>> = [columns.0, columns.1, columns.2, columns.3]
        var inverse: InlineArray<4, SIMD4<Double>> = [
            [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1],
        ]
        for pivot in 0..<4 {
            let scale = rows[pivot][pivot]
            guard scale > 1e-9 else { return nil }
            rows[pivot] /= scale
            inverse[pivot] /= scale
            for other in 0..<4 where other != pivot {
                let factor = rows[other][pivot]
                rows[other] -= rows[pivot] * factor
                inverse[other] -= inverse[pivot] * factor
            }
        }
        let diagonal = SIMD4(inverse[0].x, inverse[1].y, inverse[2].z, inverse[3].w)
        // A DOP of 1000 or more is useless.
        return diagonal.min() > 0 && diagonal.max() < 1e6 ? diagonal : nil
    }
}

/// The identity of a satellite: its constellation and its number (svid) in that constellation.
public struct SatelliteID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The satellite's constellation.
    public let constellation: Constellation

    /// The number in the constellation, from 1; for SBAS the PRN, 120 to 158.
    public let svid: UInt8

    /// Creates an id. Returns `nil` if the constellation does not have such a number.
    @inlinable
    public init?(_ constellation: Constellation, _ svid: Int) {
        guard constellation == .sbas ? 120...158 ~= svid : 1...64 ~= svid else { return nil }
        self.constellation = constellation
        self.svid = UInt8(svid)
    }

    /// Orders ids by constellation, then by number.
    public static func < (a: SatelliteID, b: SatelliteID) -> Bool {
        (a.constellation.rawValue, a.svid) < (b.constellation.rawValue, b.svid)
    }

    /// The id in the form used by receiver manuals: `G05`, `R24`, `S123`.
    public var description: String {
        svid < 10 ? "\(constellation.letter)0\(svid)" : "\(constellation.letter)\(svid)"
    }
}

/// A set of satellites that never allocates memory. It has one bit for each satellite.
public struct SatelliteIDSet: Hashable, Sendable {
    @usableFromInline var words = Constellation.Table<UInt64>(repeating: 0)
    @usableFromInline var storedCount = 0

    /// Creates an empty set.
    @inlinable
    public init() {}

    /// The number of satellites in the set.
    @inlinable public var count: Int { storedCount }

    /// Whether the set is empty.
    @inlinable public var isEmpty: Bool { count == 0 }

    /// Adds a satellite. Returns `false` if the set already contains it.
    @inlinable
    @discardableResult
    package mutating func insert(_ id: SatelliteID) -> Bool {
        let bit = Self.bit(id)
        var words = words.mutableSpan
        let word = words[Int(id.constellation.rawValue)]
        guard word & bit == 0 else { return false }
        words[Int(id.constellation.rawValue)] = word | bit
        storedCount += 1
        return true
    }

    /// Adds all satellites of another set.
    package mutating func formUnion(_ other: SatelliteIDSet) {
        storedCount = 0
        for index in words.indices {
            words[index] |= other.words[index]
            storedCount += words[index].nonzeroBitCount
        }
    }

    /// Returns whether the set contains a satellite.
    @inlinable
    @inline(__always)
    public func contains(_ id: SatelliteID) -> Bool {
        // Access through the span, because access through the array would often copy all words.
        words.span[Int(id.constellation.rawValue)] & Self.bit(id) != 0
    }

    @inlinable
    static func bit(_ id: SatelliteID) -> UInt64 {
        // SBAS numbers begin at 120, all others at 1. A SatelliteID is always in range.
        1 &<< UInt64(id.constellation == .sbas ? id.svid &- 120 : id.svid &- 1)
    }

    /// Returns whether two sets contain the same satellites.
    public static func == (a: Self, b: Self) -> Bool {
        var difference: UInt64 = 0
        for index in a.words.indices { difference |= a.words[index] ^ b.words[index] }
        return difference == 0
    }

    /// Hashes the satellites.
    public func hash(into hasher: inout Hasher) {
        for index in words.indices { hasher.combine(words[index]) }
    }
}

/// One signal of one satellite in view, as a receiver lists it.
public struct SatelliteSignal: Hashable, Sendable {
    /// The satellite that transmits the signal.
    public var id: SatelliteID

    /// The NMEA 4.11 signal ID within the constellation, 1 to 15; 0 if it is not reported.
    public var signal: UInt8

    /// The elevation in degrees above the horizon, -90 to 90.
    public var elevation: Double?

    /// The azimuth in degrees from true north, 0 up to 360.
    public var azimuth: Double?

    /// The carrier-to-noise density in dB-Hz; `nil` if the signal is not tracked.
    public var cn0: Double?

    /// What a binary receiver reports about the signal beyond its strength.
    @usableFromInline package var state: SignalState

    /// Creates a signal. Omitted values are unknown.
    @inlinable
    public init(
        id: SatelliteID, signal: UInt8 = 0, elevation: Double? = nil, azimuth: Double? = nil,
        cn0: Double? = nil
    ) {
        self.init(
            id: id, signal: signal, elevation: elevation, azimuth: azimuth, cn0: cn0,
            state: SignalState())
    }

    /// Creates a signal with a state.
    @inlinable
    package init(
        id: SatelliteID, signal: UInt8 = 0, elevation: Double?, azimuth: Double?, cn0: Double?,
        state: SignalState
    ) {
        self.id = id
        self.signal = signal
        self.elevation = elevation
        self.azimuth = azimuth
        self.cn0 = cn0
        self.state = state
    }

    /// A key that sorts signals by satellite, then by signal.
    @inlinable
    package var sortKey: UInt32 {
        UInt32(id.constellation.rawValue) << 16 | UInt32(id.svid) << 8 | UInt32(signal)
    }
}

/// What a binary receiver reports about the tracking of a signal.
///
/// The values have few bits, so that they fit into the padding of a `SatelliteSignal`: lists of
/// sentences, which do not have them, need no more memory.
@usableFromInline package struct SignalState: Hashable, Sendable {
    @usableFromInline var storedResidual: Int16
    @usableFromInline var storedQuality: UInt8
    @usableFromInline var storedHealth: UInt8
    @usableFromInline var storedNumber: UInt8
    @usableFromInline var storedFrequency: UInt8

    /// Creates a state of which nothing is known.
    @inlinable
    package init() {
        storedResidual = .min
        storedQuality = .max
        storedHealth = 0
        storedNumber = .max
        storedFrequency = .max
    }

    /// Creates the state that u-blox reports, as it is sent: the range residual in tenths of a metre,
    /// the quality from 0 to 7, and the health as 0 (unknown), 1 (healthy) or 2 (unhealthy). Values
    /// outside the range are unknown.
    @inlinable
    package init(residualTenths: Int16, quality: UInt8, health: UInt8?) {
        self.init()
        storedResidual = residualTenths
        if quality <= 7 { storedQuality = quality }
        if let health { storedHealth = health }
    }

    /// Whether nothing is known, as for the signals of sentences.
    @inlinable
    package var isEmpty: Bool {
        storedResidual == .min && storedQuality == .max && storedHealth == 0
            && storedNumber == .max && storedFrequency == .max
    }

    /// The range residual in metres, rounded to a tenth: the difference between the measured range
    /// and the one calculated from the solution. `nil` also from 3,276.7 m.
    @inlinable
    package var residual: Double? {
        get { residualTenths.map { Double($0) / 10 } }
        set {
            guard let newValue, abs(newValue) < 3276.7 else { return storedResidual = .min }
            // The sum is rounded to a whole number, which is in its lowest bits.
            storedResidual = Int16(truncatingIfNeeded: (newValue * 10 + 0x1.8p52).bitPattern)
        }
    }

    /// The range residual in tenths of a metre.
    @inlinable
    package var residualTenths: Int? { storedResidual == .min ? nil : Int(storedResidual) }

    /// How well the signal is tracked, from 0 (no signal) to 7, as u-blox numbers it.
    @inlinable
    package var quality: Int? {
        get { Self.known(storedQuality) }
        set { storedQuality = Self.stored(newValue, 0...7) }
    }

    /// Whether the satellite is healthy.
    @inlinable
    package var isHealthy: Bool? {
        get { storedHealth == 0 ? nil : storedHealth == 1 }
        set { storedHealth = newValue.map { $0 ? 1 : 2 } ?? 0 }
    }

    /// The number of the signal within its constellation in u-blox's numbering, which gpsd uses.
    @inlinable
    package var number: Int? {
        get { Self.known(storedNumber) }
        set { storedNumber = Self.stored(newValue, 0...15) }
    }

    /// The frequency channel of a GLONASS satellite plus 7.
    @inlinable
    package var frequency: Int? {
        get { Self.known(storedFrequency) }
        set { storedFrequency = Self.stored(newValue, 0...13) }
    }

    @inlinable
    static func known(_ stored: UInt8) -> Int? { stored == .max ? nil : Int(stored) }

    @inlinable
    static func stored(_ value: Int?, _ range: ClosedRange<Int>) -> UInt8 {
        guard let value, range ~= value else { return .max }
        return UInt8(value)
    }
}

/// The satellites in view, from the most recent complete lists of every constellation and signal.
public struct SatelliteView: Hashable, Sendable, Codable {
    /// The signals of all satellites, sorted by satellite, then by signal.
    public var signals: [SatelliteSignal]

    /// The satellites used by the fix of this epoch; empty without a fix.
    public var used: SatelliteIDSet

    /// The dilutions of precision of this epoch.
    public var dilution: DilutionOfPrecision

    /// The time of the epoch that completed the most recent list; `nil` while the date is unknown.
    public var time: UTCTime?

    /// Creates a view.
    public init(
        signals: [SatelliteSignal] = [], used: SatelliteIDSet = SatelliteIDSet(),
        dilution: DilutionOfPrecision = DilutionOfPrecision(), time: UTCTime? = nil
    ) {
        self.signals = signals
        self.used = used
        self.dilution = dilution
        self.time = time
    }

    /// The satellites, sorted by constellation and number.
    public var satellites: [Satellite] {
        var satellites: [Satellite] = []
        var index = 0
        while let satellite = nextSatellite(after: &index) { satellites.append(satellite) }
        return satellites
    }

    package var counts: (inView: Int, used: Int) {
        var counts = (inView: 0, used: 0)
        let signals = signals.span
        for index in signals.indices {
            let id = signals[index].id
            if index > 0, signals[index &- 1].id == id { continue }
            counts.inView &+= 1
            if used.contains(id) { counts.used &+= 1 }
        }
        return counts
    }

    /// Returns the satellite whose signals begin at `index`, and advances `index` past them.
    /// Returns `nil` at the end.
    ///
    /// Iterates over the satellites without allocation:
    ///
    ///     var index = 0
    ///     while let satellite = view.nextSatellite(after: &index) { … }
    private func nextSatellite(after index: inout Int) -> Satellite? {
        let start = index
        guard let signal = nextCombinedSignal(after: &index) else { return nil }
        return Satellite(
            id: signal.id, elevation: signal.elevation, azimuth: signal.azimuth, cn0: signal.cn0,
            isUsed: used.contains(signal.id), signals: signals[start..<index])
    }

    /// Combines the signals of the satellite at `index` into one: the strongest, with the first
    /// elevation and azimuth. Advances `index` past them. Returns `nil` at the end.
    @inlinable
    @inline(__always)
    package func nextCombinedSignal(after index: inout Int) -> SatelliteSignal? {
        Self.nextCombinedSignal(of: signals.span, after: &index)
    }

    /// Combines the signals of the satellite at `index`, like the method
    /// `nextCombinedSignal(after:)`. It is for loops that create the span of the signals only once.
    @inlinable
    @inline(__always)
    package static func nextCombinedSignal(
        of signals: Span<SatelliteSignal>, after index: inout Int
    ) -> SatelliteSignal? {
        guard index < signals.count else { return nil }
        var combined = signals[index]
        index += 1
        while index < signals.count, signals[index].id == combined.id {
            let signal = signals[index]
            combined.elevation = combined.elevation ?? signal.elevation
            combined.azimuth = combined.azimuth ?? signal.azimuth
            if let cn0 = signal.cn0, cn0 > combined.cn0 ?? -.infinity {
                combined.cn0 = cn0
                combined.signal = signal.signal
                combined.state = signal.state
            }
            index += 1
        }
        return combined
    }
}

/// A satellite in view, with all its signals.
public struct Satellite: Hashable, Sendable {
    /// The constellation and number of the satellite.
    public var id: SatelliteID

    /// The elevation in degrees above the horizon, -90 to 90.
    public var elevation: Double?

    /// The azimuth in degrees from true north, 0 up to 360.
    public var azimuth: Double?

    /// The carrier-to-noise density of the strongest signal in dB-Hz; `nil` if no signal is
    /// tracked.
    public var cn0: Double?

    /// Whether the fix uses the satellite.
    public var isUsed: Bool

    /// The satellite's signals; at least one.
    public var signals: ArraySlice<SatelliteSignal>
}

extension Satellite: CustomStringConvertible {
    /// Creates a satellite, for example for a test. Omitted values are unknown.
    public init(
        id: SatelliteID, elevation: Double? = nil, azimuth: Double? = nil, cn0: Double? = nil,
        isUsed: Bool, signals: some Collection<SatelliteSignal>
    ) {
        self.id = id
        self.elevation = elevation
        self.azimuth = azimuth
        self.cn0 = cn0
        self.isUsed = isUsed
        self.signals = ArraySlice(signals)
    }

    /// The satellite on one line: `G05 elevation 45° azimuth 123° 42 dB-Hz, used`.
    public var description: String {
        var text = "\(id)"
        if let elevation { text += " elevation \(elevation)°" }
        if let azimuth { text += " azimuth \(azimuth)°" }
        if let cn0 { text += " \(cn0) dB-Hz" }
        return isUsed ? text + ", used" : text
    }
}

/// A family of navigation satellites.
///
/// To add a constellation, add a case, an element of `traits` and the size of `Table` here. System
/// IDs must be consecutive, from 1. `CONTRIBUTING.md` lists the other files to change.
public enum Constellation: UInt8, CaseIterable, Hashable, Sendable {
    /// GPS of the United States.
    case gps
    /// Satellite-based augmentation systems: WAAS, EGNOS, MSAS, GAGAN…
    case sbas
    /// Galileo of the European Union.
    case galileo
    /// BeiDou of China.
    case beiDou
    /// QZSS of Japan.
    case qzss
    /// GLONASS of Russia.
    case glonass
    /// NavIC of India.
    case navIC

    /// A table with one value for each constellation, indexed by raw value. It never allocates
    /// memory. Its size must equal the count of `allCases`; a test checks it.
    @usableFromInline package typealias Table<Value> = InlineArray<7, Value>

    /// The names and numbers of a constellation in standards, receivers and programs. An `svid`
    /// plus `listOffset` is the number in the satellite lists of `talker`, and an `svid` plus
    /// `gpsdOffset` is gpsd's `PRN`. The strings are static, because a `String` would be retained
    /// and released on each access.
    @usableFromInline package typealias Traits = (
        name: StaticString, letter: Unicode.Scalar, gnssID: Int, systemID: UInt8?,
        talker: StaticString, listOffset: Int, gpsdOffset: Int
    )

    @inlinable package var traits: Traits {
        switch self {
        case .gps: ("GPS", "G", 0, 1, "GP", 0, 0)
        case .sbas: ("SBAS", "S", 1, nil, "GP", -87, -87)
        case .galileo: ("Galileo", "E", 2, 3, "GA", 0, 300)
        case .beiDou: ("BeiDou", "C", 3, 4, "GB", 0, 400)
        case .qzss: ("QZSS", "J", 5, 5, "GQ", 0, 192)
        case .glonass: ("GLONASS", "R", 6, 2, "GL", 64, 64)
        case .navIC: ("NavIC", "I", 7, 6, "GI", 0, 500)
        }
    }

    /// The common name: `GPS`, `Galileo`…
    package var name: String { "\(traits.name)" }

    /// The letter that RINEX and receiver manuals put before a satellite's number: `G`, `R`, `E`…
    public var letter: Character { Character(traits.letter) }

    /// The number that u-blox calls `gnssId` and gpsd calls `gnssid`.
    @inlinable public var gnssID: Int { traits.gnssID }

    /// The NMEA 4.11 signal ID of the main signal, which u-blox numbers 0.
    @inlinable package var mainSignal: UInt8 { self == .galileo ? 7 : 1 }

    /// The system ID of NMEA 4.10; `nil` for SBAS, whose satellites are listed with GPS.
    package var systemID: UInt8? { traits.systemID }

    /// The talker of the constellation's satellite lists in NMEA 4.11: `GP`, `GL`, `GA`…
    package var talker: String { "\(traits.talker)" }

    /// The constellations that have a system ID, sorted by it from 1.
    package static let bySystemID = allCases.filter { $0.systemID != nil }
        .sorted { $0.systemID ?? 0 < $1.systemID ?? 0 }

    /// Creates the constellation with a system ID. Returns `nil` for an unknown ID.
    package init?(systemID: UInt8) {
        guard 1...Self.bySystemID.count ~= Int(systemID) else { return nil }
        self = Self.bySystemID[Int(systemID) - 1]
    }

    /// Creates the constellation with a `gnssID`. Returns `nil` for an unknown number.
    public init?(gnssID: Int) {
        guard let constellation = Self.allCases.first(where: { $0.gnssID == gnssID }) else {
            return nil
        }
        self = constellation
    }
}

extension SatelliteID {
    /// The number of the satellite in the GSV and GSA sentences of its constellation's talker, as
    /// in NMEA 4.11.
    package var listedNumber: Int { number(from: constellation.traits.listOffset) }

    /// The number that gpsd calls `PRN`, unique across constellations.
    @inlinable package var nmeaNumber: Int { number(from: constellation.traits.gpsdOffset) }

    @usableFromInline
    func number(from offset: Int) -> Int {
        // SBAS satellites above 151 have the same number in both numberings.
        constellation == .sbas && svid > 151 ? Int(svid) : Int(svid) + offset
    }
}
