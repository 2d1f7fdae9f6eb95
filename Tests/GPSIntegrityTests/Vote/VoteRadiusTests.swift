// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

/// The radius of 68 % holds the true position in 65 to 71 % of all epochs.
@Suite(.timeLimit(.generous))
struct VoteRadiusTests {
    private struct Errors {
        /// One sigma of each receiver to the north and to the east.
        var sigmas: [(north: Double, east: Double)]
        /// The share of the variance that is common to all receivers.
        var common: Double
        var hasCovariance = false
    }

    /// The share of epochs in which the true position is within the radius.
    private func share(_ errors: Errors, seed: UInt64) -> Double {
        var random = SeededGenerator(seed: seed)
        var vote = ReceiverVote(antennas: Array(repeating: nil, count: errors.sigmas.count))
        let truth = Bench.place(0)
        let now = MonotonicInstant.now
        var (inside, count) = (0, 0)
        for second in 1...6000 {
            let shared = (random.normal(), random.normal())
            var fixes: [Fix] = []
            for (index, sigma) in errors.sigmas.enumerated() {
                let (whole, own) = (errors.common.squareRoot(), (1 - errors.common).squareRoot())
                let north = sigma.north * (whole * shared.0 + own * random.normal())
                let east = sigma.east * (whole * shared.1 + own * random.normal())
                var fix = Fix()
                fix.time = Bench.time(Double(second))
                fix.mode = .threeD
                fix.coordinate = Bench.place(east, north: north)
                if errors.hasCovariance {
                    fix.covariance = Covariance(
                        northNorth: Float(sigma.north * sigma.north), northEast: 0, northDown: 0,
                        eastEast: Float(sigma.east * sigma.east), eastDown: 0, downDown: 1)
                } else {
                    fix.accuracy.horizontal = 1.5096 * sigma.north
                }
                fixes.append(fix)
                vote.receive(fix, from: index, arrival: nil, at: now)
            }
            while let decision = vote.next() {
                guard let radius = decision.radius,
                    let coordinate = fixes[decision.receiver].coordinate
                else { continue }
                count += 1
                if coordinate.distance(to: truth) <= radius { inside += 1 }
            }
        }
        #expect(count >= 5990)
        return Double(inside) / Double(max(1, count))
    }

    @Test(arguments: [0, 0.5, 0.9, 0.99], [1, 2] as [UInt64])
    func `round errors, independent and common`(common: Double, seed: UInt64) {
        let errors = Errors(sigmas: [(2, 2), (2, 2), (2, 2)], common: common)
        #expect((0.65...0.71).contains(share(errors, seed: seed)))
    }

    @Test(arguments: [0, 0.9])
    func `receivers of different accuracy`(common: Double) {
        let errors = Errors(sigmas: [(5, 5), (1.5, 1.5), (3, 3), (9, 9)], common: common)
        #expect((0.65...0.71).contains(share(errors, seed: 3)))
    }

    @Test(arguments: [0, 0.9])
    func `errors that are longer in one direction`(common: Double) {
        let errors = Errors(
            sigmas: [(4, 1), (1, 4), (3, 2)], common: common, hasCovariance: true)
        #expect((0.65...0.71).contains(share(errors, seed: 4)))
    }
}
