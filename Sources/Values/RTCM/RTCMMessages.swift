// SPDX-License-Identifier: MIT
package import GNSS

/// Reads the fields of an RTCM 3 message, most significant bit first.
struct RTCMReader {
    private let bytes: ArraySlice<UInt8>
    private var position = 0
    /// Whether a field lies beyond the end of the message. Its value is 0.
    private(set) var isPastEnd = false

    /// Creates a reader after the type of the message, which is passed as a whole frame. Returns
    /// `nil` unless the type is one of `types`.
    init?(_ message: CorrectionMessage, types: ClosedRange<Int>) {
        guard case .rtcm(let type, _) = message.kind, types ~= type else { return nil }
        bytes = message.bytes.dropFirst(3).dropLast(3)
        skip(12)
    }

    mutating func skip(_ count: Int) { position += count }

    /// Returns the next bits, at most 64.
    mutating func bits(_ count: Int) -> UInt64 {
        var value: UInt64 = 0
        for bit in position..<position + count {
            let index = bytes.startIndex + bit / 8
            let isInside = index < bytes.endIndex
            if !isInside { isPastEnd = true }
            value = value << 1 | (isInside ? UInt64(bytes[index] >> (7 - bit % 8) & 1) : 0)
        }
        position += count
        return value
    }

    mutating func number(_ count: Int) -> Int { Int(truncatingIfNeeded: bits(count)) }

    /// Returns the next bits as a number in two's complement.
    mutating func signed(_ count: Int) -> Int {
        let shift = UInt64(64 - count)
        return Int(Int64(bitPattern: bits(count) << shift) >> shift)
    }

    /// Returns a text after its length in bytes.
    mutating func text() -> String {
        let count = number(8)
        let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: bits(8)) }
        return TerminalText.safe(String(decoding: bytes, as: UTF8.self))
    }
}

/// The position of a reference station: types 1005 and 1006.
package struct RTCMReferencePosition: Hashable, Sendable {
    package let station: Int
    /// Whether a network computes the data for a station that does not exist (VRS).
    package let isVirtual: Bool
    /// The antenna reference point, Earth-centred and Earth-fixed, in metres. The datum is the
    /// caster's.
    package let position: Vector
    /// The height of the antenna above its mark in metres; `nil` in type 1005.
    package let antennaHeight: Double?

    /// The coordinate and the height above the ellipsoid in metres; `nil` if the position is not on
    /// the Earth.
    package var geodetic: (coordinate: Coordinate, height: Double)? {
        WGS84.geodeticPosition(of: position)
    }

    package init?(_ message: CorrectionMessage) {
        guard var reader = RTCMReader(message, types: 1005...1006) else { return nil }
        func metres(_ tenths: Int) -> Double { Double(tenths) / 10_000 }
        station = reader.number(12)
        reader.skip(9)
        isVirtual = reader.bits(1) == 1
        let x = reader.signed(38)
        reader.skip(2)
        let y = reader.signed(38)
        reader.skip(2)
        position = Vector(x: metres(x), y: metres(y), z: metres(reader.signed(38)))
        let hasHeight = message.kind == .rtcm(type: 1006, station: station)
        antennaHeight = hasHeight ? metres(reader.number(16)) : nil
        if reader.isPastEnd { return nil }
    }
}

/// The equipment of a reference station: type 1033.
package struct RTCMEquipment: Hashable, Sendable {
    package let station: Int
    package let antenna: String
    package let antennaSerial: String
    package let receiver: String
    package let firmware: String
    package let receiverSerial: String

    package init?(_ message: CorrectionMessage) {
        guard var reader = RTCMReader(message, types: 1033...1033) else { return nil }
        station = reader.number(12)
        antenna = reader.text()
        reader.skip(8)
        antennaSerial = reader.text()
        receiver = reader.text()
        firmware = reader.text()
        receiverSerial = reader.text()
        if reader.isPastEnd { return nil }
    }
}

/// A text for people: type 1029.
package struct RTCMText: Hashable, Sendable {
    /// The text of simulated bases. No other part of a stream says that it is simulated.
    package static let simulated = "simulated by gpsbridge"

    package let station: Int
    package let text: String

    package init?(_ message: CorrectionMessage) {
        guard var reader = RTCMReader(message, types: 1029...1029) else { return nil }
        station = reader.number(12)
        reader.skip(40)
        text = reader.text()
        if reader.isPastEnd { return nil }
    }
}

/// The biases between the code and the phase of a reference station's GLONASS signals: type 1230.
package struct RTCMGLONASSBiases: Hashable, Sendable {
    package let station: Int
    /// Whether the station has already corrected its phases.
    package let isAligned: Bool
    /// The biases of L1 C/A, L1 P, L2 C/A and L2 P in metres; `nil` if not sent.
    package let biases: [Double?]

    package init?(_ message: CorrectionMessage) {
        guard var reader = RTCMReader(message, types: 1230...1230) else { return nil }
        station = reader.number(12)
        isAligned = reader.bits(1) == 1
        reader.skip(3)
        let mask = reader.number(4)
        biases = [8, 4, 2, 1].map { mask & $0 == 0 ? nil : Double(reader.signed(16)) * 0.02 }
        if reader.isPastEnd { return nil }
    }
}

/// The head of a message with the observations of one constellation in one epoch: MSM1 to MSM7,
/// types 1071 to 1137.
package struct RTCMObservationsHead: Hashable, Sendable {
    /// The constellations, in the order of their types, which are ten apart.
    private static let constellations: [Constellation] = [
        .gps, .glonass, .galileo, .sbas, .qzss, .beiDou, .navIC,
    ]
    private static let millisecondsPerDay = 86_400_000

    package let station: Int
    package let constellation: Constellation
    /// The number of the format, 1 to 7. From 4 on, it contains what a receiver needs for
    /// centimetres.
    package let format: Int
    /// The time of the epoch in the constellation's own form; see `age(at:leapSeconds:)`.
    package let epoch: Int
    /// Whether another message of the same epoch follows.
    package let isContinued: Bool
    /// The numbers of the satellites within the constellation.
    package let satellites: [Int]
    /// The numbers of the signals, 1 to 32.
    package let signals: [Int]
    /// The number of combinations of satellite and signal with observations.
    package let cellCount: Int

    package init?(_ message: CorrectionMessage) {
        guard var reader = RTCMReader(message, types: 1071...1137),
            case .rtcm(let type, _) = message.kind, 1...7 ~= type % 10
        else { return nil }
        constellation = Self.constellations[(type - 1070) / 10]
        format = type % 10
        station = reader.number(12)
        epoch = reader.number(30)
        isContinued = reader.bits(1) == 1
        reader.skip(18)
        let (satelliteMask, signalMask) = (reader.bits(64), reader.bits(32))
        satellites = (1...64).filter { satelliteMask >> UInt64(64 - $0) & 1 == 1 }
        signals = (1...32).filter { signalMask >> UInt64(32 - $0) & 1 == 1 }
        let cells = satellites.count * signals.count
        // Longer masks are not allowed.
        guard cells <= 64 else { return nil }
        cellCount = reader.bits(cells).nonzeroBitCount
        if reader.isPastEnd { return nil }
    }

    /// Returns the time from the epoch to `time` in seconds, from -302,400 to 302,400, because the
    /// message does not contain the week.
    package func age(at time: GPSTime, leapSeconds: Int) -> Double {
        let day = Self.millisecondsPerDay
        var period = 7 * day
        var milliseconds = epoch
        switch constellation {
        case .beiDou: milliseconds += 14_000
        case .glonass:
            // The day of the week and the time of day in Moscow. Day 7 means that it is not known.
            milliseconds = epoch & 0x7FF_FFFF
            let weekday = epoch >> 27
            if weekday == 7 { period = day } else { milliseconds += weekday * day }
            milliseconds += leapSeconds * 1000 - 3 * 3_600_000
        case .gps, .galileo, .sbas, .qzss, .navIC: break
        }
        let age = (Int(time.milliseconds) - milliseconds) % period
        let positive = age < 0 ? age + period : age
        return Double(positive > period / 2 ? positive - period : positive) / 1000
    }
}

/// The messages of each reference station in a stream, by type.
package struct CorrectionCounts: Hashable, Sendable {
    /// The messages of one type.
    package struct Entry: Hashable, Sendable {
        package var count = 0
        package var byteCount = 0
        /// When the first and the last message were received.
        package let first: MonotonicInstant
        package var last: MonotonicInstant

        /// The mean time between two messages in seconds; `nil` after the first one.
        package var interval: Double? {
            count > 1 ? last.seconds(since: first) / Double(count - 1) : nil
        }
    }

    /// The maximum number of kinds that are counted apart. A stream has fewer than thirty.
    private static let limit = 256
    /// The maximum number of types in `types`.
    private static let longestList = 32

    package private(set) var entries: [CorrectionMessage.Kind: Entry] = [:]
    package private(set) var count = 0
    package private(set) var byteCount = 0
    /// The types in the order of their numbers: `1005 1077 1230 MGA`.
    package private(set) var types = ""
    private var meter = ByteMeter()

    package init() {}

    /// The mean of the last ten seconds; `nil` in the first three.
    package mutating func bytesPerSecond(at now: MonotonicInstant) -> Double? {
        meter.bytesPerSecond(at: now)
    }

    package mutating func add(_ message: CorrectionMessage, at now: MonotonicInstant) {
        count += 1
        byteCount += message.bytes.count
        meter.add(message.bytes.count, at: now)
        guard entries[message.kind] != nil || entries.count < Self.limit else { return }
        if entries[message.kind] == nil {
            let kinds = Set(entries.keys.map(\.type)).union([message.kind.type])
            types = kinds.sorted().prefix(Self.longestList).joined(separator: " ")
        }
        entries[message.kind, default: Entry(first: now, last: now)].count += 1
        entries[message.kind]?.byteCount += message.bytes.count
        entries[message.kind]?.last = now
    }
}

extension CorrectionMessage.Kind {
    /// The type without the station: `1077`, `SPARTN 0-1`, `MGA`.
    package var type: String {
        switch self {
        case .rtcm(let type, _): "\(type)"
        case .spartn(let type, let subtype): "SPARTN \(type)-\(subtype)"
        case .assistance: "MGA"
        }
    }
}

/// Measures the bytes per second over the last ten seconds.
private struct ByteMeter: Hashable, Sendable {
    private static let length = 10

    private var start: MonotonicInstant?
    /// The bytes of the last seconds, and the second to which the last one belongs.
    private var counts = Array(repeating: 0, count: length)
    private var second = 0

    mutating func add(_ count: Int, at now: MonotonicInstant) {
        advance(to: now)
        counts[second % Self.length] += count
    }

    mutating func bytesPerSecond(at now: MonotonicInstant) -> Double? {
        guard start != nil else { return nil }
        advance(to: now)
        // The current second is not over.
        guard second >= 3 else { return nil }
        let sum = counts.reduce(0, +) - counts[second % Self.length]
        return Double(sum) / Double(min(second, Self.length - 1))
    }

    private mutating func advance(to now: MonotonicInstant) {
        let start = start ?? now
        self.start = start
        let new = max(second, Int(now.seconds(since: start)))
        for index in (second + 1)..<(second + 1 + min(new - second, Self.length)) {
            counts[index % Self.length] = 0
        }
        second = new
    }
}
