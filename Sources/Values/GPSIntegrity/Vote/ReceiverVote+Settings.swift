// SPDX-License-Identifier: MIT

extension ReceiverVote {
    /// The thresholds of a `ReceiverVote`.
    public struct Settings: Hashable, Sendable {
        /// The threshold for the difference between two positions, in standard deviations of that
        /// difference. In one epoch in a million, it is exceeded by chance.
        public var threshold = 5.26
        /// Two receivers that agree begin to disagree beyond this multiple of the threshold.
        public var disagreement = 1.25
        /// Two receivers that disagree agree again within this multiple of the threshold.
        public var agreement = 0.5
        /// The one-sigma error of a position, in metres, that the reported accuracy does not
        /// include. It is caused by rounding and by errors in measuring the antenna's position on
        /// the vehicle.
        public var resolution = 0.5
        /// The assumed 68 % radius for a receiver that does not report an accuracy, in metres.
        public var assumedAccuracy = 20.0
        /// The assumed one-sigma accuracy of a velocity whose accuracy is not reported, in metres
        /// per second.
        public var speedAccuracy = 0.5
        /// The longest time over which a position is extrapolated to the time of another one, in
        /// seconds. For a receiver that is always late, it is longer by the time between two fixes,
        /// up to one second.
        public var longestAge = 1.05
        /// The acceleration that is possible while a position is extrapolated over more than
        /// `longestAge`, in m/s².
        public var acceleration = 3.0
        /// A receiver counts as more accurate than the winner if its error is below this fraction
        /// of the winner's error.
        public var improvement = 0.9
        /// The time for which a receiver must be more accurate before it becomes the winner, in
        /// seconds.
        public var switchDelay = 2.0
        /// The time for which the vote waits for the other receivers' fixes, as a fraction of the
        /// time between two fixes.
        public var wait = 0.8
        /// The minimum distance between two antennas, in metres, at which the vote checks whether
        /// both report the same point.
        public var collapseArm = 3.0
        /// The time for which two antennas must report the same point before this is evidence, in
        /// seconds. The evidence ends when one of them has had no position for this time.
        public var collapseTime = 10.0

        /// Creates the defaults.
        public init() {}
    }
}
