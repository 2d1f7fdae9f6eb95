// SPDX-License-Identifier: MIT

extension ReceiverVote {
    /// The thresholds of a `ReceiverVote`.
    public struct Settings: Hashable, Sendable {
        /// Standard deviations by which two positions may differ: by chance, one in a million epochs does
        /// by more.
        public var threshold = 5.26
        /// The multiple of the threshold beyond which two receivers disagree.
        public var disagreement = 1.25
        /// The multiple of the threshold within which they agree again.
        public var agreement = 0.5
        /// Metres, one sigma, by which positions of one antenna differ by their digits and by how its place
        /// was measured.
        public var resolution = 0.5
        /// The radius of 68 % in metres of a receiver that reports no accuracy.
        public var assumedAccuracy = 20.0
        /// Metres per second, one sigma, of a velocity without an accuracy.
        public var speedAccuracy = 0.5
        /// The longest time in seconds by which a position is carried on to the instant of another one.
        public var longestAge = 1.05
        /// The share of the winner's accuracy below which another receiver is better.
        public var improvement = 0.9
        /// Seconds for which it must be better before it wins.
        public var switchDelay = 2.0
        /// The share of the time between two fixes for which the others are waited for.
        public var wait = 0.8
        /// The shortest distance in metres of two antennas that is compared with that of their positions.
        public var collapseArm = 3.0
        /// Seconds for which the positions must be one point.
        public var collapseTime = 10.0

        /// Creates the defaults.
        public init() {}
    }
}
