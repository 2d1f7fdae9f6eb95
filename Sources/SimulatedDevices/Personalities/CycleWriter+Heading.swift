// SPDX-License-Identifier: MIT
import GNSS
import NMEA

extension CycleWriter {
    /// The simulated magnetic variation in degrees, positive to the east. It does not depend on the
    /// position.
    private static let variation = 4.0

    /// Returns HDG with the magnetic heading and the variation.
    func hdg(_ observation: Observation, after seconds: Double) -> HDG {
        var hdg = HDG()
        let heading = heading(observation, after: seconds) - Self.variation
        hdg.sensorHeading = heading.wrappedDegrees
        hdg.variation = Self.variation
        return hdg
    }

    /// Returns THS with the true heading and mode `S` (simulated).
    func ths(_ observation: Observation, after seconds: Double) -> THS {
        var ths = THS()
        ths.heading = heading(observation, after: seconds)
        ths.mode = UInt8(ascii: "S")
        return ths
    }

    /// Returns the true heading in degrees, rounded to 0.1°. It oscillates around the course (north
    /// at rest) by ±2° with a period of 8 s.
    private func heading(_ observation: Observation, after seconds: Double) -> Double {
        let turns = (seconds / 8).truncatingRemainder(dividingBy: 1)
        let heading = (observation.truth.state.course ?? 0) + 2 * PortableMath.sin(turns * 2 * .pi)
        return ((heading * 10).rounded() / 10).wrappedDegrees
    }
}
