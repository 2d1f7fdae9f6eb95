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
        /// The protocols in which the receiver sends. Default: NMEA, as for new u-blox receivers.
        /// Personalities without UBX always send NMEA.
        public var protocols = OutputProtocols.nmea
        /// The number of epochs per second, limited to 0.001 to 1000 and to the personality's
        /// maximum.
        public var rate = 1.0 {
            didSet { rate = min(1000, max(0.001, rate)) }
        }
        /// The instruments whose sentences are sent on the same line. Default: none.
        public var instruments: Set<SimulatedInstrument> = []
        /// The obstacles that hide the sky.
        public var surroundings = Surroundings.openSky
        /// The model of range and velocity errors.
        public var errors = ErrorModel()
        /// The times to the first fix. By default, the first epoch has a fix.
        public var acquisition = Acquisition.instant
        /// The faults, and when they occur.
        public var faults = FaultScript()
        /// The seed of the random numbers. The same seed and start give the same bytes.
        public var seed: UInt64 = 1
        /// The time of the first epoch, from 1980 to 2079. If it is `nil`, a simulation starts at
        /// the system's time or, with a manual clock, at `SimulatedReceiver.defaultStart`, so that
        /// the same seed and steps give the same fixes.
        public var start: UTCTime?
        /// The baud rate; each byte takes ten bits. A program that sets another rate reads noise.
        /// If it is `nil`, bytes are sent immediately and the reader's rate has no effect, as with
        /// USB.
        public var baudRate: BaudRate?
        /// The speed at which time advances.
        public var pace = Pace.realTime
        /// A switch in the receiver's power supply; `nil` for none.
        public var supply: SupplySwitch?

        /// Creates the default configuration: a circle, with one epoch per second.
        public init() {}

        /// The number of epochs per second, limited to the personality's maximum.
        public var effectiveRate: Double { min(rate, max(0.001, personality.maximumRate)) }
    }
}

extension SimulatedReceiver.Configuration {
    /// Whether the receiver has a built-in USB port.
    var isUSB: Bool { personality.chip != nil && baudRate == nil }

    func observed(from start: UTCTime) -> Observer.Configuration {
        var observed = Observer.Configuration(start: start)
        observed.trajectory = trajectory
        observed.signals = personality.allSignals
        observed.surroundings = surroundings
        observed.errors = errors
        observed.acquisition = acquisition
        observed.seed = seed
        return observed
    }
}

/// The protocols in which a simulated receiver sends.
public enum OutputProtocols: String, CaseIterable, Hashable, Sendable {
    /// NMEA 0183 sentences.
    case nmea
    /// u-blox's binary UBX frames.
    case ubx
    /// Both UBX frames and NMEA sentences in each epoch.
    case both

    var sendsNMEA: Bool { self != .ubx }
    var sendsUBX: Bool { self != .nmea }
}

/// An instrument whose sentences are sent on the same serial line as a simulated receiver's
/// sentences.
public enum SimulatedInstrument: String, CaseIterable, Hashable, Sendable {
    /// A compass: HDG.
    case compass
    /// A wind vane: MWV (apparent) and MWD.
    case wind
    /// A depth sounder with a thermometer: DPT and MTW.
    case depth
}
