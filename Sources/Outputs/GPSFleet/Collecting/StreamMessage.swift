// SPDX-License-Identifier: MIT

/// A message that a stream delivers again until it is acknowledged.
package protocol StreamMessage {
    /// The subject on which the message was published.
    var subject: String { get }
    /// The name of the stream that contains the message.
    var stream: String { get }
    /// The message's sequence number in the stream.
    var sequence: UInt64 { get }
    /// The encoded content of the message.
    var bytes: [UInt8] { get }

    /// Acknowledges the message, so that it is not delivered again.
    func acknowledge()
}

extension NATSMessage: StreamMessage {}

extension RejectedMessage {
    /// Creates a rejected message from a message of a stream.
    init(_ message: any StreamMessage, reason: String) {
        self.init(
            stream: message.stream, sequence: message.sequence, subject: message.subject,
            reason: reason, bytes: message.bytes)
    }
}
