// SPDX-License-Identifier: MIT

/// The changes that a session makes. An empty request only reads the state.
public struct ConfigurationRequest: Hashable, Sendable {
    /// The kind of restart, by the data that the receiver keeps.
    public enum Restart: String, CaseIterable, Sendable {
        /// Keeps all data.
        case hot
        /// Clears the ephemerides.
        case warm
        /// Clears all received data.
        case cold
    }

    /// The requested settings. Only settings that differ from those in effect are sent.
    public var configuration = ReceiverConfiguration()
    /// Whether to save the settings in permanent memory after they have been verified.
    public var saves = false
    /// The restart after all other steps; `nil` for none.
    public var restart: Restart?
    /// Whether to restore the factory settings first.
    public var resetsToFactory = false
    /// The messages to send unchanged. The session fails if the receiver does not accept one.
    public var messages: [DescribedMessage] = []
    /// Whether to report what would be done, and change nothing.
    public var isDryRun = false
    /// Whether to read the stored settings, too, such as those in flash.
    public var readsStoredValues = false
    /// Whether to leave the messages out of the reported state if no requested change depends on
    /// them. An M8 then answers 28 fewer requests, and an F9P about nine. On a line without spare
    /// capacity, that saves half a minute.
    public var omitsUnusedMessages = false
    /// The journal of an interrupted session. If set, the session only undoes that session's
    /// changes.
    public var journal: ConfigurationJournal?

    /// Creates a request that only reads the state.
    public init() {}

    /// Whether the request only reads the state.
    package var isReadOnly: Bool {
        configuration.isEmpty && !saves && restart == nil && !resetsToFactory && messages.isEmpty
    }

    /// Whether the request only sends `messages`, and changes no settings itself.
    var onlySendsMessages: Bool {
        var rest = self
        rest.messages = []
        return rest.isReadOnly && !isReadOnly
    }

    /// Whether the messages that the receiver sends have to be read. Messages, rate, constellations
    /// and baud rate determine the load of the line, and a factory reset restores all settings.
    var needsMessages: Bool {
        !omitsUnusedMessages || configuration.isEmpty || resetsToFactory || readsStoredValues
            || configuration.rate != nil || configuration.messages != nil
            || configuration.constellations != nil || configuration.baudRate != nil
    }
}

/// The line to a receiver.
public struct ConfigurationLine: Hashable, Sendable {
    /// The baud rate; `nil` for a line without one, such as native USB or a network connection.
    public var baudRate: Int?
    /// Whether the line is the chip's own USB port.
    public var isNativeUSB: Bool

    /// Creates a line.
    public init(baudRate: Int?, isNativeUSB: Bool = false) {
        (self.baudRate, self.isNativeUSB) = (baudRate, isNativeUSB)
    }
}

extension ConfigurationLine {
    /// Returns how long to wait for the reply to a request. On a slow line, the output of a whole
    /// epoch delays every reply, so short timeouts are extended.
    func timeout(of exchange: Exchange) -> Duration {
        if exchange.reply.isNone { return exchange.settling }
        if (baudRate ?? 115_200) < 38400 {
            return max(exchange.timeout ?? .zero, .milliseconds(2500))
        }
        return exchange.timeout ?? .milliseconds(1500)
    }
}
