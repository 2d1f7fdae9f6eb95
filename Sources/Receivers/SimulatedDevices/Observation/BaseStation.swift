// SPDX-License-Identifier: MIT
import GNSS
import GNSSNavigation
import RTCM

/// The corrections of a simulated base: RTCM 3 messages with the observations of each epoch (MSM4),
/// and every few seconds the base's position (1005), GLONASS biases (1230) and a text that says that
/// it is simulated (1029).
///
/// A moving base sends its position with each epoch instead (4072).
///
/// The distances to satellites fit nominal orbits, not ephemerides: programs can decode, forward and
/// count the messages, but not compute a position from them.
package struct BaseStation: Sendable {
    /// Whether a base stays where it is.
    package enum Kind: Hashable, Sendable {
        case fixed
        /// The base is on the same vehicle as the receiver that gets its corrections.
        case moving
    }

    private static let number = 1
    /// The interval of messages that do not change, in seconds.
    private static let interval = 5.0
    /// The speed of light in metres per millisecond.
    private static let speedOfLight = 299_792.458

    /// The constellations with the type of their MSM4, the number of their first civil signal, and
    /// the radius of their orbits in metres.
    private static let constellations: [(Constellation, type: Int, signal: Int, radius: Double)] = [
        (.gps, 1074, 2, 26_560_000), (.glonass, 1084, 2, 25_510_000),
        (.galileo, 1094, 2, 29_600_000), (.qzss, 1114, 2, 42_164_000),
        (.beiDou, 1124, 2, 27_906_000),
    ]

    private let kind: Kind
    /// When the messages that do not change were last sent.
    private var lastSent: Double?

    init(_ kind: Kind) { self.kind = kind }

    /// Returns the messages of an epoch.
    mutating func messages(_ observation: SimulatedObservation, after seconds: Double) -> [UInt8] {
        guard let time = observation.time, let gpsTime = GPSTime(time) else { return [] }
        let groups = Self.constellations.map { entry in
            (
                entry,
                observation.satellites.filter {
                    $0.id.constellation == entry.0 && $0.isUsed && 1...63 ~= $0.id.svid
                }
            )
        }.filter { !$0.1.isEmpty }
        var bytes: [UInt8] = []
        if kind == .moving {
            bytes +=
                MovingBasePosition(
                    milliseconds: Int(gpsTime.milliseconds),
                    position: observation.truth.state.antenna
                ).frame
        }
        for (index, (entry, satellites)) in groups.enumerated() {
            var bits = BitString()
            bits.append(entry.type, 12)
            bits.append(Self.number, 12)
            bits.append(Self.epoch(entry.0, time, gpsTime), 30)
            bits.append(index + 1 < groups.count ? 1 : 0, 1)
            bits.append(0, 18)
            Self.write(satellites, entry.signal, entry.radius, &bits)
            bytes += CorrectionMessage.frame(rtcm: bits.bytes)
        }
        guard lastSent.map({ seconds - $0 >= Self.interval }) ?? true else { return bytes }
        lastSent = seconds
        return bytes + notice(time) + (kind == .fixed ? position(observation) : []) + biases
    }

    /// Returns the time of the epoch in the form of a constellation: milliseconds of the GPS week,
    /// 14 s less for BeiDou, and for GLONASS the day of the week and the time of day in Moscow.
    private static func epoch(
        _ constellation: Constellation, _ time: UTCTime, _ gpsTime: GPSTime
    ) -> Int {
        let week = 604_800_000
        switch constellation {
        case .beiDou: return (Int(gpsTime.milliseconds) - 14_000 + week) % week
        case .glonass:
            let moscow = time.unixNanoseconds / 1_000_000 + 3 * 3_600_000
            let day = 86_400_000 as Int64
            // 1 January 1970 was a Thursday.
            return Int((moscow / day + 4) % 7 << 27 | moscow % day)
        default: return Int(gpsTime.milliseconds)
        }
    }

    /// Writes the masks and the observations of one signal of each satellite.
    private static func write(
        _ satellites: [ObservedSatellite], _ signal: Int, _ radius: Double, _ bits: inout BitString
    ) {
        let sorted = satellites.sorted { $0.id.svid < $1.id.svid }
        for svid in 1...64 as ClosedRange<UInt8> {
            bits.append(sorted.contains { $0.id.svid == svid } ? 1 : 0, 1)
        }
        for number in 1...32 { bits.append(number == signal ? 1 : 0, 1) }
        for _ in sorted { bits.append(1, 1) }
        let ranges = sorted.map { distance(elevation: $0.elevation, radius) / speedOfLight }
        let rough = ranges.map { ($0 * 1024).rounded() / 1024 }
        for range in rough { bits.append(Int(range), 8) }
        for range in rough { bits.append(Int(range * 1024) % 1024, 10) }
        let fine = zip(ranges, rough).map { $0 - $1 }
        for value in fine { bits.append(Int((value * 0x1p24).rounded()), 15) }
        for value in fine { bits.append(Int((value * 0x1p29).rounded()), 22) }
        for _ in sorted { bits.append(15, 4) }  // locked for long
        for _ in sorted { bits.append(0, 1) }
        for satellite in sorted { bits.append(Int(satellite.signals.first?.cn0 ?? 0), 6) }
    }

    /// Returns the distance in metres to a satellite on a circular orbit.
    private static func distance(elevation: Double, _ radius: Double) -> Double {
        let earth = 6_371_000.0
        let (sine, cosine) = PortableMath.sinCos(elevation * (.pi / 180))
        return (radius * radius - earth * earth * cosine * cosine).squareRoot() - earth * sine
    }

    private func position(_ observation: SimulatedObservation) -> [UInt8] {
        let place = observation.truth.state.antenna
        var bits = BitString()
        bits.append(1005, 12)
        bits.append(Self.number, 12)
        bits.append(0, 6)
        // GPS, GLONASS and Galileo; not virtual.
        bits.append(0b1110, 4)
        for (index, value) in [place.x, place.y, place.z].enumerated() {
            bits.append(Int((value * 10_000).rounded()), 38)
            if index < 2 { bits.append(0, 2) }
        }
        return CorrectionMessage.frame(rtcm: bits.bytes)
    }

    private var biases: [UInt8] {
        var bits = BitString()
        bits.append(1230, 12)
        bits.append(Self.number, 12)
        // Aligned; L1 C/A and L2 C/A, both 0.
        bits.append(0b1000_1010, 8)
        bits.append(0, 32)
        return CorrectionMessage.frame(rtcm: bits.bytes)
    }

    private func notice(_ time: UTCTime) -> [UInt8] {
        var bits = BitString()
        bits.append(1029, 12)
        bits.append(Self.number, 12)
        // Modified Julian date, seconds of the day.
        bits.append(time.date.daysSince1970 + 40_587, 16)
        bits.append(Int(time.time.nanoseconds / 1_000_000_000), 17)
        bits.append(RTCMText.simulated.count, 7)
        bits.append(RTCMText.simulated.utf8.count, 8)
        for byte in RTCMText.simulated.utf8 { bits.append(Int(byte), 8) }
        return CorrectionMessage.frame(rtcm: bits.bytes)
    }
}

/// The position of a moving base at an epoch: type 4072, whose content u-blox has not published. Here,
/// it is the text `SIMULATED`, the time, and the Earth-centred coordinates in tenths of a millimetre.
struct MovingBasePosition: Hashable, Sendable {
    private static let mark = Array("SIMULATED".utf8)

    /// The milliseconds of the GPS week.
    let milliseconds: Int
    /// The antenna, Earth-centred and Earth-fixed, in metres.
    let position: Vector

    init(milliseconds: Int, position: Vector) {
        (self.milliseconds, self.position) = (milliseconds, position)
    }

    /// Returns `nil` for other messages, and for those of real receivers.
    init?(_ message: CorrectionMessage) {
        var rest = message.bytes.dropFirst(6).dropLast(3)
        guard message.kind == .rtcm(type: 4072, station: nil), rest.starts(with: Self.mark),
            rest.count == Self.mark.count + 4 * 8
        else { return nil }
        rest = rest.dropFirst(Self.mark.count)
        func number() -> Int {
            defer { rest = rest.dropFirst(8) }
            let bits = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return Int(truncatingIfNeeded: bits)
        }
        milliseconds = number()
        let (x, y, z) = (Double(number()), Double(number()), Double(number()))
        position = Vector(x: x / 10_000, y: y / 10_000, z: z / 10_000)
    }

    var frame: [UInt8] {
        var bits = BitString()
        bits.append(4072, 12)
        bits.append(0, 12)
        for byte in Self.mark { bits.append(Int(byte), 8) }
        bits.append(milliseconds, 64)
        for value in [position.x, position.y, position.z] {
            bits.append(Int((value * 10_000).rounded()), 64)
        }
        return CorrectionMessage.frame(rtcm: bits.bytes)
    }
}

extension TrueState {
    /// The antenna's position, Earth-centred and Earth-fixed, in metres.
    var antenna: Vector {
        WGS84.position(of: coordinate, height: altitude + Observer.geoidSeparation)
    }
}

extension BitString {
    /// Appends the lowest `width` bits of a number, at most 64.
    fileprivate mutating func append(_ number: Int, _ width: Int) {
        append(long: UInt64(truncatingIfNeeded: number), width: width)
    }
}
