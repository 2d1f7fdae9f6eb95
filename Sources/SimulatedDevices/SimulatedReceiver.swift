// SPDX-License-Identifier: MIT
public import GNSS
import NMEA

/// A receiver without a receiver: what it says, epoch by epoch. The same seed says the same.
///
/// Everything it says calls itself simulated: GGA quality 8, mode `S`.
public struct SimulatedReceiver: Sendable {
    /// What is simulated.
    public struct Configuration: Hashable, Sendable {
        /// Where it drives.
        public var track = CircleTrack()
        /// Epochs per second: 0.001 to 1000, else the nearest of these.
        public var rate = 1.0 {
            didSet { rate = min(1000, max(0.001, rate)) }
        }
        /// The same seed gives the same bytes for the same start.
        public var seed: UInt64 = 1
        /// The time of the first epoch; `nil` takes the system clock's when it is opened.
        public var start: UTCTime?

        /// Makes the default: driving round a circle, once a second.
        public init() {}
    }

    /// Standard deviation of the position's error north and east, in metres.
    private static let noise = 0.8

    private let configuration: Configuration
    private let start: Int64
    private let sky: SimulatedSky
    private var random: SeededGenerator
    private var writer = SentenceWriter()
    private var epoch = 0

    /// Makes a receiver whose first epoch is the configuration's start, or else that many seconds
    /// after 1 January 1970.
    public init(_ configuration: Configuration, startingAt seconds: Int64 = 0) {
        self.configuration = configuration
        start = configuration.start?.unixNanoseconds ?? seconds &* 1_000_000_000
        sky = SimulatedSky(seed: configuration.seed)
        random = SeededGenerator(seed: ~configuration.seed)
    }

    /// Seconds after the first epoch at which the next one is due.
    public var due: Double { Double(epoch) / configuration.rate }

    /// The bytes of the next epoch: RMC VTG GGA GSA GSA GSV… GLL.
    public mutating func next() -> [UInt8] {
        defer { epoch += 1 }
        let elapsed = due
        let time = UTCTime(unixNanoseconds: start &+ Int64((elapsed * 1e9).rounded()))
        let point = configuration.track.point(after: elapsed)
        let coordinate = point.coordinate.moved(
            north: Self.noise * random.normal(), east: Self.noise * random.normal())
        let sightings = sky.sightings(after: elapsed, &random)
        writer.removeAll()
        writeMotion(time, coordinate, point.course, sightings)
        writeSatellites(sightings)
        writePosition(time, coordinate)
        return writer.bytes
    }

    private mutating func writeMotion(
        _ time: UTCTime?, _ coordinate: Coordinate, _ course: Double,
        _ sightings: [SimulatedSky.Sighting]
    ) {
        let knots = configuration.track.speed * 3600 / 1852
        var rmc = RMC()
        rmc.time = time?.time
        rmc.status = UInt8(ascii: "A")
        rmc.coordinate = coordinate
        rmc.speedKnots = knots
        rmc.course = knots > 0 ? course : nil
        rmc.date = time?.date
        rmc.mode = .simulated
        rmc.navigationStatus = UInt8(ascii: "V")
        writer.write(rmc, talker: .gnss)

        var vtg = VTG()
        vtg.course = rmc.course
        vtg.speedKnots = knots
        vtg.speedKilometresPerHour = configuration.track.speed * 3.6
        vtg.mode = .simulated
        writer.write(vtg, talker: .gnss)

        var gga = GGA()
        gga.time = time?.time
        gga.coordinate = coordinate
        gga.quality = .simulated
        gga.satellites = min(12, used(sightings).count)
        gga.hdop = dilution(used(sightings).count)
        gga.altitude = configuration.track.altitude + random.normal()
        gga.geoidSeparation = 43.4
        writer.write(gga, talker: .gnss)
    }

    private mutating func writeSatellites(_ sightings: [SimulatedSky.Sighting]) {
        let systems: [(Constellation, Talker, UInt8)] = [(.gps, .gps, 1), (.glonass, .glonass, 2)]
        let hdop = dilution(used(sightings).count)
        for (constellation, _, systemID) in systems {
            var gsa = GSA()
            gsa.selection = UInt8(ascii: "A")
            gsa.fix = .threeD
            let mine = used(sightings).filter { $0.id.constellation == constellation }
            gsa.satellites = SatelliteNumbers(mine.prefix(12).map { Self.number(of: $0.id) })
            gsa.hdop = hdop
            gsa.vdop = hdop * 1.5
            gsa.pdop = hdop * 1.8
            gsa.systemID = systemID
            writer.write(gsa, talker: .gnss)
        }
        for (constellation, talker, _) in systems {
            let mine = sightings.filter { $0.id.constellation == constellation }
            let total = max(1, (mine.count + 3) / 4)
            for part in 1...total {
                let entries = mine.dropFirst(4 * (part - 1)).prefix(4).map {
                    GSV.Entry(
                        number: Self.number(of: $0.id), elevation: $0.elevation,
                        azimuth: $0.azimuth, cn0: $0.cn0)
                }
                writer.write(
                    GSV(
                        total: total, part: part, inView: mine.count, entries: entries,
                        signalID: 1), talker: talker)
            }
        }
    }

    private mutating func writePosition(_ time: UTCTime?, _ coordinate: Coordinate) {
        var gll = GLL()
        gll.coordinate = coordinate
        gll.time = time?.time
        gll.status = UInt8(ascii: "A")
        gll.mode = .simulated
        writer.write(gll, talker: .gnss)
    }

    private func used(_ sightings: [SimulatedSky.Sighting]) -> [SimulatedSky.Sighting] {
        sightings.filter { $0.elevation >= SimulatedSky.mask && $0.cn0 != nil }
    }

    private func dilution(_ count: Int) -> Double {
        0.5 + 4 / Double(max(1, count))
    }

    private static func number(of id: SatelliteID) -> Int {
        id.constellation == .glonass ? Int(id.svid) + 64 : Int(id.svid)
    }
}
