// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
import Testing

@Suite(.timeLimit(.generous))
struct SignalTests {
    /// The signals that a ZED-X20P receives by default, by their NMEA 4.11 signal IDs.
    @Test(
        arguments: [
            (.gps, 1, "L1"), (.gps, 6, "L2C"), (.gps, 8, "L5"), (.galileo, 7, "E1"),
            (.galileo, 1, "E5a"), (.galileo, 5, "E6"), (.beiDou, 1, "B1I"), (.beiDou, 3, "B1C"),
            (.beiDou, 5, "B2a"), (.beiDou, 8, "B3I"), (.qzss, 1, "L1"), (.qzss, 4, "L1S"),
        ] as [(Constellation, UInt8, String)])
    func `every signal of a receiver with three bands has a name`(
        _ constellation: Constellation, _ signal: UInt8, _ name: String
    ) throws {
        let id = try #require(SatelliteID(constellation, 1))
        #expect(Signal.band(SatelliteSignal(id: id, signal: signal)) == name)
    }

    @Test func `an unknown signal is shown by its number`() throws {
        let id = try #require(SatelliteID(.gps, 1))
        #expect(Signal.band(SatelliteSignal(id: id, signal: 9)) == "#9")
        #expect(Signal.band(SatelliteSignal(id: id)) == "")
    }
}
