// SPDX-License-Identifier: MIT
import GNSS
import NMEA

extension CycleWriter {
    /// The magnetic variation in degrees east, the same everywhere.
    private static let variation = 4.0

    /// The magnetic heading, and the variation.
    func hdg(_ observation: Observation, after seconds: Double) -> HDG {
        var hdg = HDG()
        let heading = heading(observation, after: seconds) - Self.variation
        hdg.sensorHeading = heading.wrappedDegrees
        hdg.variation = Self.variation
        return hdg
    }

    /// The true heading, marked as simulated.
    func ths(_ observation: Observation, after seconds: Double) -> THS {
        var ths = THS()
        ths.heading = heading(observation, after: seconds)
        ths.mode = UInt8(ascii: "S")
        return ths
    }

    /// Returns the heading in tenths of a degree: the course (north at rest), oscillating by two
    /// degrees to either side every eight seconds.
    private func heading(_ observation: Observation, after seconds: Double) -> Double {
        let turns = (seconds / 8).truncatingRemainder(dividingBy: 1)
        let heading = (observation.truth.state.course ?? 0) + 2 * PortableMath.sin(turns * 2 * .pi)
        return ((heading * 10).rounded() / 10).wrappedDegrees
    }
}
