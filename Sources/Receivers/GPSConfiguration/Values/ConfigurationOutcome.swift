// SPDX-License-Identifier: MIT

/// The final result of a session.
public enum ConfigurationOutcome: Hashable, Sendable {
    /// The session succeeded.
    case done(ConfigurationReport)
    /// The session failed.
    case failed(ConfigurationError, ConfigurationRollback)
}

/// Which settings the receiver has after a failure.
public enum ConfigurationRollback: Hashable, Sendable {
    /// Nothing had been changed.
    case unchanged
    /// The previous settings are in effect again.
    case restored
    /// The previous settings are in effect again, except those that the receiver had not reported
    /// or that a factory reset has replaced.
    case partlyRestored
    /// The new settings work and remain in effect, but a later step failed.
    case kept
    /// The previous settings have not been restored. They are in a journal file, from which the
    /// program restores them when it is started the next time.
    case pending
}

/// The result of a session: the state that it read, its changes and its measurements.
public struct ConfigurationReport: Hashable, Sendable {
    /// Where and how long settings are saved.
    public struct Saved: Hashable, Sendable {
        /// The memory that contains the settings.
        public var storage: ReceiverState.Storage
        /// An explanation of how long the settings are kept, for the user.
        public var explanation: String
    }

    /// The state before the session.
    public var before: ReceiverState?
    /// The state after the session, as read back. It equals the state before if nothing was
    /// changed.
    public var after: ReceiverState?
    /// The settings that were changed, or would be changed in a dry run.
    public var changes: [ConfigurationChange] = []
    /// The result of saving; `nil` if settings were not saved.
    public var saved: Saved?
    /// Warnings for the user.
    public var warnings: [String] = []
    /// The fixes per second, measured in the stream; `nil` if too few were received.
    public var measuredRate: Double?
    /// The receiver's answers to the messages of the request, in order, one line each.
    public var answers: [String] = []

    /// Whether the receiver is a u-blox chip.
    package var isOfUBlox: Bool {
        [.ublox, .ubloxLegacy].contains((after ?? before)?.identity.family)
    }
}
