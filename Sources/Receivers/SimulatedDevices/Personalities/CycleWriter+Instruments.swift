// SPDX-License-Identifier: MIT
import GNSS
import NMEA

extension CycleWriter {
    /// The simulated true wind: the direction from which it blows in degrees true, and the speed in
    /// metres per second.
    private static let wind = (direction: 240.0, speed: 7.0)

    /// Writes the sentences of instruments, `seconds` after the first epoch.
    mutating func write(
        _ instruments: Set<SimulatedInstrument>, _ observation: SimulatedObservation,
        after seconds: Double
    ) {
        for instrument in SimulatedInstrument.allCases where instruments.contains(instrument) {
            switch instrument {
            case .compass:
                writer.write(hdg(observation, after: seconds), talker: Talker(rawValue: "HC"))
            case .wind: writeWind(observation.truth.state)
            case .depth: writeDepth(after: seconds)
            }
        }
    }

    /// Writes the apparent wind (MWV) and the true wind (MWD).
    private mutating func writeWind(_ state: TrueState) {
        let (wind, bow) = (Self.wind, state.course ?? 0)
        let (windEast, windNorth) = PortableMath.sinCos((wind.direction + 180).radians)
        let (east, north) = PortableMath.sinCos(bow.radians)
        let x = wind.speed * windEast - state.speed * east
        let y = wind.speed * windNorth - state.speed * north
        var aboard = MWV()
        let origin = PortableMath.atan2(0 - x, 0 - y).degrees
        aboard.angle = Self.tenths((origin - bow).wrappedDegrees).wrappedDegrees
        aboard.reference = UInt8(ascii: "R")
        aboard.speed = Self.tenths((x * x + y * y).squareRoot())
        (aboard.unit, aboard.status) = (UInt8(ascii: "M"), UInt8(ascii: "A"))
        writer.write(aboard, talker: Talker(rawValue: "WI"))
        var truth = MWD()
        truth.trueDirection = wind.direction
        truth.speedKnots = Self.tenths(wind.speed * 3600 / 1852)
        truth.speedMetresPerSecond = wind.speed
        writer.write(truth, talker: Talker(rawValue: "WI"))
    }

    /// Writes a depth between 8 and 16 m (DPT) and a constant water temperature (MTW).
    private mutating func writeDepth(after seconds: Double) {
        let turns = (seconds / 120).truncatingRemainder(dividingBy: 1)
        var depth = DPT()
        depth.depth = Self.tenths(12 + 4 * PortableMath.sin(turns * 2 * .pi))
        depth.offset = -1.2
        writer.write(depth, talker: Talker(rawValue: "SD"))
        var water = MTW()
        water.temperature = 17.5
        writer.write(water, talker: Talker(rawValue: "YX"))
    }

    private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

extension CycleWriter {
    /// The simulated magnetic variation in degrees, positive to the east. It does not depend on the
    /// position.
    private static let variation = 4.0

    /// Returns HDG with the magnetic heading and the variation.
    func hdg(_ observation: SimulatedObservation, after seconds: Double) -> HDG {
        var hdg = HDG()
        let heading = heading(observation, after: seconds) - Self.variation
        hdg.sensorHeading = heading.wrappedDegrees
        hdg.variation = Self.variation
        return hdg
    }

    /// Returns THS with the true heading and mode `S` (simulated).
    func ths(_ observation: SimulatedObservation, after seconds: Double) -> THS {
        var ths = THS()
        ths.heading = heading(observation, after: seconds)
        ths.mode = UInt8(ascii: "S")
        return ths
    }

    /// Returns the true heading in degrees, rounded to 0.1°. It oscillates around the course (north
    /// at rest) by ±2° with a period of 8 s.
    private func heading(_ observation: SimulatedObservation, after seconds: Double) -> Double {
        let turns = (seconds / 8).truncatingRemainder(dividingBy: 1)
        let heading = (observation.truth.state.course ?? 0) + 2 * PortableMath.sin(turns * 2 * .pi)
        return ((heading * 10).rounded() / 10).wrappedDegrees
    }
}
