// SPDX-License-Identifier: MIT
package import Delegation
package import GNSS
package import GPSIO
import GPSReceivers
import Synchronization

/// Writes the reports of a polling thread to a file, by jobs of ``BackgroundExecutor`` and outside of any lock: the
/// thread does not wait for the disk.
///
/// A source that can pause does so while more than `pauseLimit` bytes wait. Of the reports of other sources the oldest are
/// dropped, and counted, where more than `limit` bytes wait besides those that are being written.
package final class BackgroundWriter: Sendable {
    private struct State {
        var queue: OutputQueue
        /// How many bytes are being written; `nil` while no job writes.
        var beingWritten: Int?
        var hold = FlowControl.Hold.none
        var failure: (any Error)?
        /// Fulfilled when everything is written.
        var emptied: Promise<Void>?
    }

    /// A source that can pause does so while more bytes wait.
    package static let pauseLimit = 1 << 18

    private let state: Mutex<State>
    private let flow: FlowControl
    private let poller: Poller
    private let write: @Sendable ([UInt8]) -> (any Error)?
    private let onFailure: @Sendable (any Error) -> Void

    /// Creates a writer.
    ///
    /// `write` writes everything and may block; it returns why nothing can be written any more, and `onFailure` is called
    /// with that. `head` is written before the first report. `flow` makes a source pause that can. Deadlines go by `poller`.
    package init(
        head: [UInt8] = [], limit: Int, flow: FlowControl, poller: Poller = .shared,
        write: @escaping @Sendable ([UInt8]) -> (any Error)?,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        var queue = OutputQueue(limit: limit)
        queue.append(kept: head)
        state = Mutex(State(queue: queue))
        self.flow = flow
        self.poller = poller
        self.write = write
        self.onFailure = onFailure
    }

    /// How many reports have been dropped.
    package var droppedCount: Int { state.withLock { $0.queue.droppedCount } }

    /// How many bytes are not written yet; 0 before the first report, with which `head` is written.
    package var pendingCount: Int {
        state.withLock { state in state.beingWritten.map { $0 + state.queue.count } ?? 0 }
    }

    /// Appends a report, whole lines; none is dropped of a source that can pause.
    package func append(_ report: [UInt8], canWait: Bool) {
        let (isIdle, old, new) = state.withLock { state in
            let old = state.hold
            guard state.failure == nil else { return (false, old, old) }
            if canWait {
                state.queue.append(kept: report)
            } else {
                state.queue.append(droppable: report)
            }
            defer { state.beingWritten = state.beingWritten ?? 0 }
            state.hold = state.queue.count > Self.pauseLimit ? .read : .none
            return (state.beingWritten == nil, old, state.hold)
        }
        flow.change(from: old, to: new)
        if isIdle { schedule() }
    }

    /// Waits until everything is written.
    ///
    /// Throws what `write` has returned, or `CancellationError`.
    package func finish() async throws {
        let emptied = try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard state.beingWritten != nil else { return nil as Promise<Void>? }
            let emptied = state.emptied ?? Promise()
            state.emptied = emptied
            return emptied
        }
        try await emptied?.value
    }

    /// Waits until everything is written or the deadline has come, even if the task is cancelled.
    ///
    /// Throws what `write` has returned.
    package func finish(until deadline: MonotonicInstant) async throws {
        try await Task(executorPreference: BackgroundExecutor.shared) { [poller] in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.finish() }
                group.addTask { _ = await poller.sleep(until: deadline) }
                defer { group.cancelAll() }
                try await group.next()
            }
        }.value
    }

    /// Writes once the polling thread has done what it does now, so that a fast replay is written in large pieces.
    private func schedule() {
        Task(executorPreference: poller) {
            Task(executorPreference: BackgroundExecutor.shared) { self.writeQueue() }
        }
    }

    /// Writes what waits now.
    private func writeQueue() {
        var bytes: [UInt8] = []
        let old = state.withLock { state in
            state.queue.drain {
                bytes += $0
                return $0.count
            }
            state.beingWritten = bytes.count
            defer { state.hold = .none }
            return state.hold
        }
        flow.change(from: old, to: .none)
        if let failure = write(bytes) { return fail(failure) }
        let (isOver, emptied) = state.withLock { state in
            state.beingWritten = state.queue.isEmpty ? nil : 0
            guard state.queue.isEmpty else { return (false, nil as Promise<Void>?) }
            defer { state.emptied = nil }
            return (true, state.emptied)
        }
        emptied?.fulfill(())
        if !isOver { schedule() }
    }

    private func fail(_ failure: any Error) {
        let (old, emptied) = state.withLock { state in
            defer { (state.hold, state.beingWritten) = (.none, nil) }
            state.queue.drain { $0.count }
            state.failure = failure
            return (state.hold, state.emptied)
        }
        flow.change(from: old, to: .none)
        emptied?.reject(failure)
        onFailure(failure)
    }
}
