// SPDX-License-Identifier: MIT

/// The task of a session. An empty one reads the state.
public struct ConfigurationRequest: Hashable, Sendable {
    /// A restart of the search for satellites.
    public enum Restart: String, CaseIterable, Sendable {
        /// Keeps everything.
        case hot
        /// Forgets the orbits.
        case warm
        /// Forgets everything that was received.
        case cold
    }

    /// The settings to reach. Only what differs is sent.
    public var configuration = ReceiverConfiguration()
    /// Whether the settings are stored in the memories that last, once they are verified.
    public var saves = false
    /// A restart at the end.
    public var restart: Restart?
    /// Whether the receiver returns to its first settings before anything else.
    public var resetsToFactory = false
    /// Messages to send as they are. Each must be accepted.
    public var messages: [DescribedMessage] = []
    /// Whether to report the differences and stop.
    public var isDryRun = false
    /// Whether to read what the other memories have.
    public var readsStoredValues = false
    /// The journal of a session that was interrupted. Its rollback is finished, and nothing else is
    /// done.
    public var journal: ConfigurationJournal?

    /// Creates a request that reads the state.
    public init() {}

    var isReadOnly: Bool {
        configuration.isEmpty && !saves && restart == nil && !resetsToFactory && messages.isEmpty
    }
}

/// The line to a receiver.
public struct ConfigurationLine: Hashable, Sendable {
    /// Its rate in bits per second; `nil` where it has none that could be set: native USB, a network.
    public var baudRate: Int?
    /// Whether it is the USB port of the chip itself.
    public var isNativeUSB: Bool

    /// Creates a line.
    public init(baudRate: Int?, isNativeUSB: Bool = false) {
        (self.baudRate, self.isNativeUSB) = (baudRate, isNativeUSB)
    }
}
