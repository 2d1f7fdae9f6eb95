// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct CompassTests {
    @Test func `a compass sends magnetic and true headings, marked as simulated, and nothing else`()
        throws
    {
        let run = DecodedRun(.noon(.compass), epochs: 10)
        #expect(run.addresses == (0..<10).flatMap { _ in ["HCHDG", "HCTHS"] })
        #expect(run.statistics.rejected == 0 && run.statistics.fieldErrors == 0)
        let fields = run.sentences.map { $0.prefix { $0 != "*" }.split(separator: ",") }
        #expect(fields.allSatisfy { $0[0].hasSuffix("HDG") || $0[2] == "S" })
        for (hdg, ths) in zip(
            fields.enumerated().filter { $0.offset % 2 == 0 },
            fields.enumerated().filter { $0.offset % 2 == 1 })
        {
            let magnetic = try #require(Double(hdg.element[1]))
            let heading = try #require(Double(ths.element[1]))
            #expect(abs((magnetic + 4).wrappedDegrees - heading) < 0.01)
        }
    }

    @Test func `the heading follows the course, and swings by two degrees`() throws {
        let run = DecodedRun(.noon(.satelliteCompass), epochs: 60)
        var greatest = 0.0
        for (fix, epoch) in zip(run.fixes, run.epochs).dropFirst(3) {
            let heading = try #require(fix.attitude.heading)
            let course = try #require(epoch.truth.state.course)
            let off = abs((heading - course + 180).wrappedDegrees - 180)
            greatest = max(greatest, off)
            #expect(off <= 2.1)
            #expect(fix.quality == .simulated && fix.attitude.magneticHeading != nil)
        }
        #expect(greatest > 1.9)
    }

    @Test func `a compass at rest points north, and the same seed gives the same bytes`() {
        var configuration = SimulatedReceiver.Configuration.noon(.compass)
        configuration.trajectory = .stationary(at: Coordinate(latitude: 48, longitude: 16))
        let bytes = SimulatedReceiver(configuration).bytes(of: 8)
        #expect(bytes == SimulatedReceiver(configuration).bytes(of: 8))
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("$HCHDG,356.0,,,4.0,E*"))
    }

    @Test func `a lost fix does not stop a compass`() {
        let run = DecodedRun(.noon(.compass, [Fault(.lostFix)]), epochs: 3)
        #expect(run.addresses.count == 6)
    }
}
