// SPDX-License-Identifier: MIT
package import Delegation
package import NMEA

/// A consumer of sessions: the sentences, rejections and counts for it, and its way of making a source wait that can.
package final class SessionMember: Sendable {
    /// Held while a consumer of the manager's is behind.
    package let flow: FlowControl
    /// The sentences with a right checksum, as sent, without line ends; costs only with observers.
    package let sentences: Event<[UInt8]>
    /// Bytes that are not a sentence, and why.
    package let rejections: Event<Rejection>
    /// The counts so far, after each epoch.
    package let statistics: Event<Statistics>

    /// How long a source waits for streams that nothing reads.
    package let unreadLimit: Duration

    /// Creates a member without observers.
    package init(unreadLimit: Duration = .seconds(10)) {
        self.unreadLimit = unreadLimit
        flow = FlowControl()
        sentences = Event(flow: flow)
        rejections = Event(flow: flow)
        statistics = Event(flow: flow)
    }

    package func complete() {
        sentences.complete()
        rejections.complete()
        statistics.complete()
    }
}
