// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import Testing

/// The 68 % radius contains the true position in 65 to 71 % of all epochs.
@Suite(.timeLimit(.generous))
struct VoteRadiusTests {
    private struct Errors {
        /// One sigma of each receiver to the north and to the east.
        var sigmas: [(north: Double, east: Double)]
        /// The fraction of the variance that is common to all receivers.
        var common: Double
        var hasCovariance = false
        /// The correlation time of the errors in seconds; 0 for errors that last one epoch.
        var duration = 0.0
        /// Whether the accuracies change by up to three times, as in streets, so that the winner changes.
        var areChanging = false
        /// The standard deviation of the factor by which receivers misjudge their accuracy for
        /// minutes.
        var misjudgement = 0.0
    }

    /// Correlated values with a standard deviation of 1.
    private struct Lasting {
        private var value = 0.0
        private let kept: Double

        init(_ duration: Double, _ random: inout SeededGenerator) {
            kept = duration > 0 ? PortableMath.exp(-1 / duration) : 0
            value = random.normal()
        }

        mutating func next(_ random: inout SeededGenerator) -> Double {
            value = kept * value + (1 - kept * kept).squareRoot() * random.normal()
            return value
        }
    }

    /// The errors of one receiver.
    private struct Source {
        var north: Lasting
        var east: Lasting
        var judgement: Lasting

        init(_ errors: Errors, _ random: inout SeededGenerator) {
            north = Lasting(errors.duration, &random)
            east = Lasting(errors.duration, &random)
            judgement = Lasting(120, &random)
        }
    }

    /// The number of epochs with a radius, and of those in which the true position is within it.
    private struct Count {
        var inside = 0
        var all = 0
        var winners: Set<Int> = []
        var share: Double { Double(inside) / Double(max(1, all)) }
    }

    private func count(_ errors: Errors, seed: UInt64, epochs: Int = 6000) -> Count {
        var random = SeededGenerator(seed: seed)
        var vote = ReceiverVote(antennas: Array(repeating: nil, count: errors.sigmas.count))
        let truth = Bench.place(0)
        let now = MonotonicInstant.now
        var count = Count()
        var common = Source(errors, &random)
        var own = errors.sigmas.map { _ in Source(errors, &random) }
        for second in 1...epochs {
            let shared = (common.north.next(&random), common.east.next(&random))
            var fixes: [Fix] = []
            for index in own.indices {
                fixes.append(fix(errors, index, second, shared, &own[index], &random))
                vote.receive(fixes[index], from: index, arrival: nil, at: now)
            }
            while let decision = vote.next() {
                guard let radius = decision.radius,
                    let coordinate = fixes[decision.receiver].coordinate
                else { continue }
                count.all += 1
                count.winners.insert(decision.receiver)
                if coordinate.distance(to: truth) <= radius { count.inside += 1 }
            }
        }
        #expect(Double(count.all) >= 0.998 * Double(epochs))
        return count
    }

    private func fix(
        _ errors: Errors, _ index: Int, _ second: Int, _ shared: (Double, Double),
        _ source: inout Source, _ random: inout SeededGenerator
    ) -> Fix {
        // The periods of the receivers differ.
        let angle = Double(second) / Double(40 + 7 * index)
        let growth = errors.areChanging ? 2 + PortableMath.sinCos(angle).sin : 1
        let sigma = errors.sigmas[index]
        let (north, east) = (sigma.north * growth, sigma.east * growth)
        let (whole, own) = (errors.common.squareRoot(), (1 - errors.common).squareRoot())
        let errorNorth = north * (whole * shared.0 + own * source.north.next(&random))
        let errorEast = east * (whole * shared.1 + own * source.east.next(&random))
        var fix = Fix()
        fix.time = Bench.time(Double(second))
        fix.mode = .threeD
        fix.coordinate = Bench.place(errorEast, north: errorNorth)
        guard errors.hasCovariance else {
            let judgement = PortableMath.exp(
                errors.misjudgement * source.judgement.next(&random))
            fix.accuracy.horizontal = 1.5096 * north * judgement
            return fix
        }
        fix.covariance = Covariance(
            northNorth: Float(north * north), northEast: 0, northDown: 0,
            eastEast: Float(east * east), eastDown: 0, downDown: 1)
        return fix
    }

    @Test(arguments: [0, 0.5, 0.9, 0.99], [1, 2] as [UInt64])
    func `the radius contains 68 % for circular errors, independent and shared`(
        common: Double, seed: UInt64
    ) {
        let errors = Errors(sigmas: [(2, 2), (2, 2), (2, 2)], common: common)
        #expect((0.65...0.71).contains(count(errors, seed: seed).share))
    }

    @Test(arguments: [0, 0.9])
    func `the radius contains 68 % for receivers of different accuracies`(common: Double) {
        let errors = Errors(sigmas: [(5, 5), (1.5, 1.5), (3, 3), (9, 9)], common: common)
        #expect((0.65...0.71).contains(count(errors, seed: 3).share))
    }

    @Test(arguments: [0, 0.9])
    func `the radius contains 68 % for errors along one axis`(common: Double) {
        let errors = Errors(
            sigmas: [(4, 1), (1, 4), (3, 2)], common: common, hasCovariance: true)
        #expect((0.65...0.71).contains(count(errors, seed: 4).share))
    }

    @Test(arguments: [0, 0.5, 0.9])
    func `the radius contains 68 % for errors that are correlated in time`(common: Double) {
        let errors = Errors(
            sigmas: [(2, 2), (2, 2), (2, 2)], common: common, duration: 10)
        #expect((0.65...0.71).contains(count(errors, seed: 5, epochs: 10_000).share))
    }

    @Test(arguments: [0, 0.5, 0.9])
    func `the radius contains 68 % although accuracies and winner change`(common: Double) {
        let errors = Errors(
            sigmas: [(2, 2), (2, 2), (2, 2)], common: common, duration: 10, areChanging: true)
        let count = count(errors, seed: 6, epochs: 10_000)
        #expect((0.65...0.71).contains(count.share))
        #expect(count.winners == [0, 1, 2])
    }

    // The receiver that overestimates its accuracy most wins. The radius cannot be more correct
    // than the reported accuracies.
    @Test(arguments: [(0.05, 0.65...0.71), (0.1, 0.60...0.66), (0.2, 0.53...0.63)])
    func `the radius contains fewer positions if receivers misjudge their accuracy`(
        misjudgement: Double, expected: ClosedRange<Double>
    ) {
        let errors = Errors(
            sigmas: [(2, 2), (2, 2), (2, 2)], common: 0, misjudgement: misjudgement)
        #expect(expected.contains(count(errors, seed: 7, epochs: 10_000).share))
    }
}
