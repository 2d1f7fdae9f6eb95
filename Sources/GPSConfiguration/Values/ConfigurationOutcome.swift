// SPDX-License-Identifier: MIT

/// The end of a session.
public enum ConfigurationOutcome: Hashable, Sendable {
    /// Everything was done.
    case done(ConfigurationReport)
    /// Something was not.
    case failed(ConfigurationError, ConfigurationRollback)
}

/// The state of the receiver after a failure.
public enum ConfigurationRollback: Hashable, Sendable {
    /// Nothing had been changed.
    case unchanged
    /// The settings of before are in effect again.
    case restored
    /// The new settings work and are in effect; what came after them failed.
    case kept
    /// The settings of before could not be restored now. The journal has what the next start needs.
    case pending
}

/// The actions and results of a session.
public struct ConfigurationReport: Hashable, Sendable {
    /// Where settings were saved.
    public struct Saved: Hashable, Sendable {
        /// The memory in which the settings were stored.
        public var storage: ReceiverState.Storage
        /// Whether that lasts, in a sentence.
        public var explanation: String
    }

    /// The state before.
    public var before: ReceiverState?
    /// The state after, as read back; equal to the one before if nothing was changed.
    public var after: ReceiverState?
    /// The settings that were changed, or would be.
    public var changes: [ConfigurationChange] = []
    /// Where they were saved; `nil` if they were not.
    public var saved: Saved?
    /// Warnings for the user.
    public var warnings: [String] = []
    /// Fixes per second as counted in the stream; `nil` if there were too few.
    public var measuredRate: Double?
    /// The answers to messages that were sent as they are, in order.
    public var answers: [String] = []
}
