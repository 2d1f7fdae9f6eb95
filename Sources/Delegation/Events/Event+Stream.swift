// SPDX-License-Identifier: MIT

extension Event {
    /// A stream of the values from now on.
    ///
    /// A reader that lags keeps what `policy` says; `droppedCount` tells what it lost. The stream
    /// doesn't keep the event alive and ends when the event completes.
    @inlinable
    public func values(buffering policy: BufferingPolicy = .newest(256)) -> EventStream<Payload> {
        EventStream(buffering: policy, connect: ValueSource(self).connect)
    }
}
