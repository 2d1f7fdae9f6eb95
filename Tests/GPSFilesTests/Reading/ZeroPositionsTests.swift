// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct ZeroPositionsTests {
    /// Passes positions at these latitudes on the prime meridian; returns those that remain.
    private func pass(_ latitudes: [Double]) -> (latitudes: [Double], warning: String?) {
        var (zero, kept) = (ZeroPositions(), [Double]())
        func receive(_ event: InputEvent) {
            if case .fix(let fix, _) = event, let coordinate = fix.coordinate {
                kept.append(coordinate.latitude)
            }
        }
        for latitude in latitudes {
            zero.pass(.fix(Fix.at(latitude, 0)), receive)
        }
        zero.finish(receive)
        return (kept, zero.warning)
    }

    @Test(arguments: [[48, 0, 0, 48], [0, 0, 48, 48], [48, 48, 0, 0]])
    func `positions at 0° N 0° E far from the others are left out and counted`(
        _ latitudes: [Double]
    ) {
        let (kept, warning) = pass(latitudes)
        #expect(kept == [48, 48])
        #expect(warning == "has 2 positions at 0° N 0° E, far from the others, left out")
    }

    @Test(arguments: [[0, 0, 0], [0, 0.001, 0], [-0.001, 0, 0.001]])
    func `a receiver may have been there`(_ latitudes: [Double]) {
        let (kept, warning) = pass(latitudes)
        #expect(kept == latitudes)
        #expect(warning == nil)
    }
}
