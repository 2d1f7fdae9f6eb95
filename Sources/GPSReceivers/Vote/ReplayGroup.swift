// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import Synchronization

/// Keeps the recordings of a vote at the same time: one that is ahead waits for the others.
///
/// So recordings of the same trip may begin at different times. Times of day are compared, because
/// the first sentences of a recording may have no date.
final class ReplayGroup: Sendable {
    /// One recording of the group.
    struct Member: Sendable {
        let group: ReplayGroup
        let index: Int

        /// Waits while another recording is at an earlier time than a line of this one.
        func waitForOthers(at line: ArraySlice<UInt8>) async { await group.wait(index, at: line) }
    }

    private enum Progress {
        /// No time was read yet, but a number of lines without one.
        case opening(lines: Int)
        /// The recording seems to have no times.
        case untimed
        /// The time of the line that is delivered next.
        case at(TimeOfDay)
    }

    private struct State {
        var progress: [Int: Progress]
        /// Is fulfilled, and replaced, when `progress` changes.
        var change = Promise<Void>()
    }

    /// The longest time for which a recording waits for another one, in nanoseconds. If they are
    /// farther apart, they were not made together. Eight recordings, each ahead of the next one by
    /// this time, do not fill a day, so they never all wait for each other.
    private static let longestLead: Int64 = 7_200_000_000_000
    /// The number of lines without a time after which the others no longer wait for the first time.
    private static let maximumLines = 200

    private let state: Mutex<State>

    /// Creates a group of recordings with these indices.
    init(_ indices: [Int]) {
        var progress: [Int: Progress] = [:]
        for index in indices { progress[index] = .opening(lines: 0) }
        state = Mutex(State(progress: progress))
    }

    /// Removes a recording that has ended.
    func remove(_ index: Int) { set(nil, of: index) }

    /// Removes all recordings, so that none waits any more.
    func dissolve() {
        let former = state.withLock { state -> Promise<Void> in
            state.progress = [:]
            return state.change
        }
        former.fulfill(())
    }

    private func wait(_ index: Int, at line: ArraySlice<UInt8>) async {
        guard let time = ReplayPace.time(of: line) else { return countLine(of: index) }
        set(.at(time), of: index)
        while !Task.isCancelled, let change = changeToWaitFor(index, at: time) {
            // The only error is the task's cancellation.
            try? await change.value
        }
    }

    private func countLine(of index: Int) {
        guard case .opening(let lines)? = state.withLock({ $0.progress[index] }) else { return }
        set(lines < Self.maximumLines ? .opening(lines: lines + 1) : .untimed, of: index)
    }

    private func set(_ progress: Progress?, of index: Int) {
        let former = state.withLock { state -> Promise<Void>? in
            guard let current = state.progress[index] else { return nil }
            if case .at(let old) = current, case .at(let new)? = progress, old == new { return nil }
            state.progress[index] = progress
            let former = state.change
            state.change = Promise()
            return former
        }
        former?.fulfill(())
    }

    /// Returns the change that a recording at `time` must wait for; `nil` if it is not ahead.
    private func changeToWaitFor(_ index: Int, at time: TimeOfDay) -> Promise<Void>? {
        state.withLock { state -> Promise<Void>? in
            guard state.progress[index] != nil else { return nil }
            let isAhead = state.progress.contains { other, progress in
                guard other != index else { return false }
                switch progress {
                case .opening: return true
                case .untimed: return false
                case .at(let earlier):
                    let lead = time.nanoseconds(since: earlier)
                    return lead > 0 && lead <= Self.longestLead
                }
            }
            return isAhead ? state.change : nil
        }
    }
}
