// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// A real receiver at rest must be recognised as such. The numbers are those in `docs/converting.md`.
@Suite(.timeLimit(.generous))
struct GenuineRestTests {
    private struct Run: DecoderListener {
        var rest = RestDetector()
        var odometer = Odometer()
        var states: [Bool?] = []

        var wantsSentences: Bool { false }

        mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
            states.append(rest.isStationary(after: fix))
            odometer.add(fix)
        }

        mutating func didReceive(satellites view: SatelliteView) {}
    }

    @Test(.enabled(if: Captures.hour != nil, "the recording of an F9T at rest is not here"))
    func `79 minutes at rest are stationary after five seconds, and 0 m long`() throws {
        var run = Run()
        try Captures.decode(try #require(Captures.hour), to: &run)
        #expect(run.states.count == 4753)
        #expect(run.states.dropFirst(6).allSatisfy { $0 == true })
        #expect(run.odometer.distance == 0)
    }
}
