// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct SimulatedInstrumentTests {
    @Test func `instruments send after the receiver's cycle, and their values reach the fixes`()
        throws
    {
        var configuration = SimulatedReceiver.Configuration.noon(.garmin)
        configuration.instruments = Set(SimulatedInstrument.allCases)
        // To the west, almost into the wind.
        configuration.trajectory = CircleTrack(radius: 1e6, speed: -5)
        let run = DecodedRun(configuration, epochs: 20)
        #expect(run.addresses.suffix(5) == ["HCHDG", "WIMWV", "WIMWD", "SDDPT", "YXMTW"])
        // The end of a cycle is learned from the first ones.
        for fix in run.fixes.dropFirst(4) {
            let instruments = fix.instruments
            #expect(8...16 ~= (instruments[.depth] ?? 0) && instruments[.depthOffset] == -1.2)
            #expect(instruments[.waterTemperature] == 17.5)
            #expect(instruments[.trueWindDirection] == 240 && instruments[.trueWindSpeed] == 7)
            // The wind of the motion is added: 7 m/s from 30° to port, and 5 m/s from ahead.
            #expect(abs(try #require(instruments[.apparentWindSpeed]) - 11.6) < 0.06)
            #expect(abs(try #require(instruments[.apparentWindAngle]) - 342.5) < 0.2)
        }
    }

    @Test func `a position may have an altitude, and instruments are a list`() throws {
        var arguments = SimulationArguments()
        try arguments.setPlace("54.3, 10.1, -2.5")
        try arguments.set("instruments", "wind+depth")
        let configuration = try arguments.configured()
        #expect(configuration.instruments == [.wind, .depth])
        #expect(configuration.trajectory.state(after: 0).altitude == -2.5)
        #expect(throws: UsageError.self) { try arguments.setPlace("54,10,x") }
        #expect(throws: UsageError.self) { try arguments.setPlace("54,10,1,2") }
        #expect(throws: UsageError.self) { try arguments.set("instruments", "sextant") }
    }
}
