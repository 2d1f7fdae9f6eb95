// SPDX-License-Identifier: MIT
public import GNSS
public import GPSReceivers

extension SimulatedReceiver {
    /// The configuration of a simulated receiver.
    public struct Configuration: Sendable {
        /// Where it goes.
        public var trajectory: any Trajectory = CircleTrack()
        /// The kind of receiver.
        public var personality = Personality.generic
        /// Epochs per second: 0.001 to 1000, else the nearest of these. No more than the personality's
        /// maximum is sent.
        public var rate = 1.0 {
            didSet { rate = min(1000, max(0.001, rate)) }
        }
        /// Obstacles that hide the sky.
        public var surroundings = Surroundings.openSky
        /// The errors of its ranges.
        public var errors = ErrorModel()
        /// How long until the first fix. Default: none.
        public var acquisition = Acquisition.instant
        /// The faults, and when they occur.
        public var faults = FaultScript()
        /// The same seed gives the same bytes for the same start.
        public var seed: UInt64 = 1
        /// The time of the first epoch, from 1980 to 2079. `nil` takes the system clock's when it is
        /// opened, or with a stepped clock `SimulatedReceiver.defaultStart`, so that the same seed
        /// and steps give the same fixes.
        public var start: UTCTime?
        /// The rate at which bytes go over its tty, and at which it must be read: ten bits each, and
        /// noise at any other. `nil` sends them at once, whatever the reader's rate.
        public var baudRate: BaudRate?
        /// How fast time advances.
        public var pace = Pace.realTime

        /// Creates the default configuration: driving round a circle, once a second.
        public init() {}

        /// Epochs per second as they are sent.
        public var effectiveRate: Double { min(rate, max(0.001, personality.maximumRate)) }
    }
}

extension SimulatedReceiver.Configuration {
    func observed(from start: UTCTime) -> Observer.Configuration {
        var observed = Observer.Configuration(start: start)
        observed.trajectory = trajectory
        observed.signals = Dictionary(
            personality.constellations.map { ($0, personality.signals(of: $0)) },
            uniquingKeysWith: { first, _ in first })
        observed.surroundings = surroundings
        observed.errors = errors
        observed.acquisition = acquisition
        observed.seed = seed
        return observed
    }
}
