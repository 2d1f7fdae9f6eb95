// SPDX-License-Identifier: MIT
package import Delegation
package import NMEA

/// A consumer that joins a `ReceiverSession`. It contains events for sentences, rejections and
/// statistics, and the flow control of these events.
package final class SessionMember: Sendable {
    /// The flow control of the events. A source that can wait is paused while the buffer of one of
    /// the consumer's streams is at least half full.
    package let flow: FlowControl
    /// Sends the sentences with a correct checksum, as received, without line ends. Sending costs
    /// no time without observers.
    package let sentences: Event<[UInt8]>
    /// Sends rejected bytes, which are not a valid sentence, with the reason.
    package let rejections: Event<Rejection>
    /// Sends the receiver's statistics after each epoch.
    package let statistics: Event<Statistics>

    /// The maximum time that a source waits for streams that are not being read.
    package let unreadLimit: Duration

    /// Creates a member without observers.
    package init(unreadLimit: Duration = .seconds(10)) {
        self.unreadLimit = unreadLimit
        flow = FlowControl()
        sentences = Event(flow: flow)
        rejections = Event(flow: flow)
        statistics = Event(flow: flow)
    }

    /// Completes all events.
    package func complete() {
        sentences.complete()
        rejections.complete()
        statistics.complete()
    }
}
