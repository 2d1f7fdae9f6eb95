// SPDX-License-Identifier: MIT
package import Delegation
package import NMEA

/// A consumer of sessions: its sentences, rejections and statistics, and its flow control.
package final class SessionMember: Sendable {
    /// The flow control, held while a consumer of the manager has unread values.
    package let flow: FlowControl
    /// Sends the sentences with a correct checksum, as received, without line ends; has a cost only
    /// with observers.
    package let sentences: Event<[UInt8]>
    /// Sends bytes that are not a sentence, with the reason.
    package let rejections: Event<Rejection>
    /// Sends the statistics after each epoch.
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
