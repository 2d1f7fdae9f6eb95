// SPDX-License-Identifier: MIT
public import GNSS
public import GPSReceivers

extension SimulatedReceiver {
    /// The configuration of a simulated receiver.
    public struct Configuration: Sendable {
        /// The motion of the receiver.
        public var trajectory: any Trajectory = CircleTrack()
        /// The kind of receiver.
        public var personality = Personality.generic
        /// The protocols in which it sends. Default: NMEA, as new u-blox receivers do. Personalities
        /// without UBX always send NMEA.
        public var protocols = OutputProtocols.nmea
        /// Epochs per second, limited to 0.001 to 1000 and to the personality's maximum.
        public var rate = 1.0 {
            didSet { rate = min(1000, max(0.001, rate)) }
        }
        /// Obstacles that hide the sky.
        public var surroundings = Surroundings.openSky
        /// The model of range and speed errors.
        public var errors = ErrorModel()
        /// The time until the first fix. Default: none.
        public var acquisition = Acquisition.instant
        /// The faults, and when they occur.
        public var faults = FaultScript()
        /// The seed; the same seed and start give the same bytes.
        public var seed: UInt64 = 1
        /// The time of the first epoch, from 1980 to 2079. `nil` for the system's time when the
        /// receiver is opened; with a stepped clock for `SimulatedReceiver.defaultStart`, so that
        /// the same seed and steps give the same fixes.
        public var start: UTCTime?
        /// The baud rate of the tty, at ten bits per byte; a reader at another rate reads noise.
        /// `nil` sends the bytes at once, whatever the reader's rate.
        public var baudRate: BaudRate?
        /// The speed at which time advances.
        public var pace = Pace.realTime
        /// A switch in the receiver's supply; `nil` for none.
        public var supply: SupplySwitch?

        /// Creates the default configuration: a circle, one epoch per second.
        public init() {}

        /// The epochs per second that are sent.
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
