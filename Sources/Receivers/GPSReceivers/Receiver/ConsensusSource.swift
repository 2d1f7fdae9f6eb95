// SPDX-License-Identifier: MIT
import Delegation
package import GNSS
import GPSIO
package import GPSIntegrity
import Synchronization

/// A source that combines several receivers in one vehicle. For each epoch, a vote selects one
/// receiver's fix and passes it on unchanged. `fix.vote` contains the result of the vote.
///
/// A session, for example of a `LocationManager`, reads it like any receiver. It has no bytes of
/// its own; its sentences are those of the selected receiver.
package struct ConsensusSource: DeviceSource {
    /// One receiver of a vote.
    package struct Member: Sendable {
        /// The source of the receiver's data.
        package var source: any DeviceSource
        /// The receiver's name in `fix.vote`.
        package var name: String
        /// The position of the antenna in the vehicle; `nil` if it is not known, or if all antennas
        /// are at the same place.
        package var antenna: LeverArm?

        /// Creates a member. Its default name is that of the source.
        package init(_ source: any DeviceSource, name: String? = nil, antenna: LeverArm? = nil) {
            self.source = source
            self.name = name ?? source.name
            self.antenna = antenna
        }
    }

    /// The receivers. Only the first eight take part in the vote. Of two sources of the same tty,
    /// only one takes part. Servers are not compared, so do not read one under two names.
    package let members: [Member]

    /// Creates a vote of receivers.
    package init(_ members: [Member]) {
        self.members = members
    }

    /// The name of every vote.
    package static let name = "vote"

    /// The source's name, which is always `vote`.
    package var name: String { Self.name }

    /// The common origin of all receivers; unknown if they differ.
    package var origin: DataOrigin {
        let origins = Set(members.map(\.source.origin))
        return origins.count == 1 ? origins.first ?? .unknown : .unknown
    }

    /// The capabilities: a session waits for receivers that are not connected.
    package var capabilities: SourceCapabilities { [.hotPlug] }

    /// The identity: equal for sources with the same receivers and antenna positions.
    package var identity: SourceIdentity {
        let parts = members.map { member in
            let antenna = member.antenna.map { " \($0.forward) \($0.right)" } ?? ""
            return "\(member.source.identity)\(antenna)"
        }
        return SourceIdentity("vote \(parts)")
    }

    /// Always throws `.notControllable`, because only a session can read several receivers.
    package func open() async throws(DeviceError) -> any DeviceConnection {
        throw DeviceError(.notControllable, device: name)
    }

    /// Returns an object that ends each wait after 30 seconds, or `nil` if none of the receivers
    /// can be opened again. Each receiver's own session waits for that receiver.
    package func availability() -> (any DeviceAvailability)? {
        members.contains { $0.source.availability() != nil }
            ? PeriodicRetry(poller: .shared) : nil
    }
}

extension DeviceSource {
    /// The sources of the receivers that this source combines; this source itself if it is not a
    /// `ConsensusSource`.
    package var parts: [any DeviceSource] {
        (self as? ConsensusSource)?.members.map(\.source) ?? [self]
    }
}

/// Synchronises the recordings of a `ConsensusSource` during replay: a recording that is ahead
/// waits for the others. Therefore, recordings of the same trip may begin at different times.
///
/// Times of day are compared, because the first sentences of a recording may have no date.
package final class ReplayGroup: Sendable {
    /// One recording of the group.
    package struct Member: Sendable {
        let group: ReplayGroup
        private let index: Int

        /// Creates the member of a group for the recording with this index.
        package init(_ index: Int, of group: ReplayGroup) {
            self.index = index
            self.group = group
        }

        /// Waits while another recording is at an earlier time than a line of this one.
        package func waitForOthers(at line: ArraySlice<UInt8>) async {
            await group.wait(index, at: line)
        }

        /// Lets the other recordings continue without waiting for this one until its next line with
        /// a time. Call it when this recording pauses.
        package func pause() { group.pause(index) }
    }

    private struct Progress {
        /// The time of the line that is delivered next; `nil` if no line had a time yet.
        var time: TimeOfDay?
        /// The shorter of the last two steps of `time`, in nanoseconds; 0 if unknown.
        private var period: Int64 = 0
        private var lastStep: Int64 = 0
        /// The number of lines without a time since the last line with a time.
        private(set) var lines = 0

        mutating func advance(to new: TimeOfDay) {
            lines = 0
            guard new != time else { return }
            let step = max(0, time.map { new.nanoseconds(since: $0) } ?? 0)
            (period, lastStep) = (min(step, lastStep, ReplayGroup.longestPeriod), step)
            time = new
        }

        /// Counts a line without a time. Returns `true` if the other recordings stop waiting for
        /// this one because of this line.
        mutating func countLine() -> Bool {
            guard isAwaited else { return false }
            lines += 1
            return !isAwaited
        }

        /// Stops the other recordings from waiting for the next time of this one. Returns whether
        /// they may have been waiting for it.
        mutating func pause() -> Bool {
            defer { lines = ReplayGroup.maximumLines }
            return isAwaited
        }

        /// Whether the other recordings wait for the next time of this one. They stop waiting after
        /// many lines without a time.
        private var isAwaited: Bool { lines < ReplayGroup.maximumLines }

        /// Returns whether another recording, at the time `other`, must wait for this one. It waits
        /// only from this recording's next expected time on, so that a recording with a higher fix
        /// rate is not slowed down.
        func isBehind(_ other: TimeOfDay) -> Bool {
            guard isAwaited else { return false }
            guard let time else { return true }
            let lead = other.nanoseconds(since: time)
            return lead > 0 && lead >= period - period / 16 && lead <= ReplayGroup.longestLead
        }
    }

    private struct State {
        var progress: [Int: Progress]
        /// A promise for the next change that may end the wait of a recording. It is fulfilled at
        /// that change, and replaced by a new one.
        private var change = Promise<Void>()

        init(progress: [Int: Progress]) { self.progress = progress }

        /// Returns the promise that the recording `index`, which is at `time`, must wait for; `nil`
        /// if it is not ahead of another recording.
        func changeToWaitFor(_ index: Int, at time: TimeOfDay) -> Promise<Void>? {
            guard progress[index] != nil else { return nil }
            let isAhead = progress.contains { $0.key != index && $0.value.isBehind(time) }
            return isAhead ? change : nil
        }

        /// Replaces the promise by a new one, and returns the former one.
        mutating func takeChange() -> Promise<Void> { exchange(&change, with: Promise()) }
    }

    /// The maximum lead with which a recording waits for another one, in nanoseconds. Recordings
    /// with a greater lead are assumed not to belong together. Even eight recordings (the maximum),
    /// each ahead of the next one by this lead, span less than a day, so they never all wait for
    /// each other.
    private static let longestLead: Int64 = 7_200_000_000_000
    /// The longest time between two fixes that counts as a recording's period, in nanoseconds.
    private static let longestPeriod: Int64 = 10_000_000_000
    /// The number of lines without a time after which other recordings no longer wait for a
    /// recording's next time.
    private static let maximumLines = 200

    private let state: Mutex<State>

    /// Creates a group of recordings with these indices.
    package init(_ indices: [Int]) {
        var progress: [Int: Progress] = [:]
        for index in indices { progress[index] = Progress() }
        state = Mutex(State(progress: progress))
    }

    /// Removes a recording that has ended, or that cannot be read now.
    func remove(_ index: Int) {
        signal { $0.progress.removeValue(forKey: index) != nil }
    }

    /// Removes all recordings, so that none waits for another.
    func removeAll() {
        signal { state in
            state.progress = [:]
            return true
        }
    }

    private func pause(_ index: Int) {
        signal { $0.progress[index]?.pause() ?? false }
    }

    private func wait(_ index: Int, at line: ArraySlice<UInt8>) async {
        guard let time = ReplayPace.time(of: line) else {
            return signal { $0.progress[index]?.countLine() ?? false }
        }
        signal { state in
            guard let former = state.progress[index] else { return false }
            state.progress[index]?.advance(to: time)
            return former.time != time
        }
        while !Task.isCancelled,
            let change = state.withLock({ $0.changeToWaitFor(index, at: time) })
        {
            // The only error is the task's cancellation.
            try? await change.value
        }
    }

    /// Changes the state by `body`. If `body` returns `true`, the waiting recordings check again
    /// whether they must wait.
    private func signal(_ body: (inout State) -> Bool) {
        let former: Promise<Void>? = state.withLock { body(&$0) ? $0.takeChange() : nil }
        former?.fulfill(())
    }
}
