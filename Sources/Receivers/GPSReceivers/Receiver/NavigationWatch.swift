// SPDX-License-Identifier: MIT
package import Delegation
package import GNSS
import GPSIO
import Synchronization

/// Passes the fixes of a session to a `Navigator` (anchor watch and route), and sends its results.
package final class NavigationWatch: Sendable {
    private struct State {
        var navigator: Navigator
        var clock = FixClock()
        /// Whether the last epoch came from a recording.
        var isReplay: Bool
        /// The time of the last epoch for the navigator, in seconds. For a recording, it is
        /// computed from the times of the fixes, otherwise from `start`.
        var seconds = 0.0
        /// The time between the last two fixes with times, at most a second. It is assumed for
        /// fixes without a time.
        var period = 1.0
        var anchor: AnchorState?
        /// The instant at which `seconds` was 0; `nil` before the first epoch.
        var start: MonotonicInstant?
        var device = ""
    }

    /// Sends the navigator's result for each epoch, before the epoch itself is sent. When the
    /// position is lost, sends a result before the update that reports the cause.
    package let changes = Event<Navigation>()
    /// Whether the source is a recording.
    private let isRecording: Bool
    /// Whether only its fixes show that the source contains a recording, as for a pipe.
    private let mayBeRecording: Bool
    private let startLimit: Duration
    private let state: Mutex<State>

    init(_ settings: Navigator.Settings, of source: any DeviceSource) {
        isRecording = source.origin == .replay
        mayBeRecording = source.capabilities.contains(.pausing)
        startLimit = .seconds(settings.startLimit)
        state = Mutex(
            State(
                navigator: Navigator(settings), isReplay: isRecording, device: source.name))
    }

    /// Processes an update. Returns the change if an alarm of the anchor watch begins, changes or
    /// ends; otherwise `nil`.
    func receive(
        _ update: ReceiverUpdate, at now: MonotonicInstant, date: UTCTime?
    ) -> AlarmChange? {
        var change = apply { state in
            if let device = update.openedDevice { state.device = device }
            return navigation(update, now, date, &state)
        }
        if case .condition(.ended, _) = update { change?.isInputOver = true }
        return change
    }

    /// Waits until a live receiver's time limit for its first epoch has passed. If no epoch has
    /// been received, for example because only other instruments send on the line, returns an alarm
    /// of the anchor watch. Otherwise returns `nil`.
    func missedStart(_ poller: Poller, date: @Sendable () -> UTCTime?) async -> AlarmChange? {
        guard !isRecording, await poller.sleep(until: poller.now + startLimit) == .timedOut else {
            return nil
        }
        return apply { state in
            // An alarm that exists already has a more exact cause.
            guard state.start == nil, state.anchor?.isAlarm != true else { return nil }
            return state.navigator.didLosePosition("no position", time: date())
        }
    }

    /// Changes the state, and sends the navigator's result, if any. Returns the change if an alarm
    /// begins, changes or ends; otherwise `nil`.
    private func apply(_ step: (inout State) -> Navigation?) -> AlarmChange? {
        let result = state.withLock { state -> (Navigation, AlarmChange?)? in
            guard let navigation = step(&state) else { return nil }
            defer { state.anchor = navigation.anchor }
            guard let anchor = navigation.anchor, anchor.condition != state.anchor?.condition,
                anchor.isAlarm || state.anchor?.isAlarm == true
            else { return (navigation, nil) }
            return (navigation, AlarmChange(device: state.device, anchor: anchor))
        }
        guard let (navigation, change) = result else { return nil }
        changes.send(navigation)
        return change
    }

    private func navigation(
        _ update: ReceiverUpdate, _ now: MonotonicInstant, _ date: UTCTime?, _ state: inout State
    ) -> Navigation? {
        if case .epoch(let epoch) = update {
            advance(&state, to: epoch, now)
            return state.navigator.receive(
                epoch.fix, at: state.seconds,
                time: epoch.fix.time ?? (state.isReplay ? nil : date))
        }
        guard !isRecording else { return nil }
        // Only the end of a recording in a pipe causes no alarm. Its silence does, because a live
        // receiver also counts as a recording while the machine's clock is wrong.
        if state.isReplay, case .condition(.ended, _) = update { return nil }
        if case .condition(.lost(let error), _) = update, error.code == .cancelled {
            // The receiver is only being reopened.
            return state.navigator.didLosePosition(nil, time: date)
        }
        if update.openedDevice != nil, state.anchor?.condition == .lost {
            // The receiver is back, so its absence is not the cause any more.
            return state.navigator.didLosePosition("no position", time: date)
        }
        guard let reason = update.lossReason else { return nil }
        return state.navigator.didLosePosition(reason, time: date)
    }

    /// Advances the navigator's time to an epoch. The time does not jump when the fixes of a pipe
    /// show that they are recorded, or that they are live.
    private func advance(_ state: inout State, to epoch: ReceiverEpoch, _ now: MonotonicInstant) {
        let step = state.clock.step(to: epoch.fix)
        if let step, step > 0 { state.period = min(1, step) }
        let isReplay = isRecording || (mayBeRecording && epoch.origin == .replay)
        let wasReplay = exchange(&state.isReplay, with: isReplay)
        let start = state.start ?? now
        if isReplay {
            // A recording may be replayed faster than it was recorded.
            state.seconds += max(0, step ?? state.period)
            state.start = start
        } else {
            let live = wasReplay ? now - Duration.seconds(state.seconds) : start
            state.seconds = now.seconds(since: live)
            state.start = live
        }
    }
}

/// How positions are handled during an integrity alarm.
package enum AlarmPolicy: String, CaseIterable, Sendable {
    /// Positions are marked as doubtful but otherwise unchanged.
    case mark
    /// Positions are removed, as if the receiver had no fix. The receiver's sentences are not sent.
    case drop
}

/// The beginning, change or end of an alarm of one receiver.
package struct AlarmChange: Sendable {
    /// The function that can raise an alarm: integrity monitoring or the anchor watch.
    package enum Kind: String, Sendable { case integrity, anchor }

    /// The function that raised the alarm.
    package let kind: Kind
    /// The device's name.
    package let device: String
    /// The raw value of the new integrity state or anchor condition.
    package let state: String
    /// Whether the new state is an alarm.
    package let isAlarm: Bool
    /// The reasons for the new state, as text for display.
    package let reasons: [String]
    /// Whether the alarm was raised because the input has ended.
    package internal(set) var isInputOver = false

    init(device: String, integrity: Integrity) {
        (kind, self.device, state) = (.integrity, device, integrity.state.rawValue)
        isAlarm = integrity.state == .alarm
        reasons = integrity.reasons.map(\.text)
    }

    /// Creates a change for an alarm of the anchor watch.
    init(device: String, anchor: AnchorState) {
        (kind, self.device, state) = (.anchor, device, anchor.condition.rawValue)
        isAlarm = anchor.isAlarm
        reasons = [anchor.reason].compactMap(\.self)
    }
}

extension Fix {
    /// A copy of the fix without its position but with its time, for `AlarmPolicy.drop`. A simulated
    /// fix remains marked as simulated.
    var withTimeButNoPosition: Fix {
        var fix = withoutPosition
        (fix.time, fix.timeOfDay) = (time, timeOfDay)
        if quality == .simulated { fix.quality = .simulated }
        return fix
    }
}

extension WeekRollover {
    /// Creates a check of the dates that a live receiver sends. `day` is the current date; if it is
    /// `nil`, the date of gpsbridge's release is used instead. Returns `nil` if the release has no
    /// valid date.
    package init?(on day: UTCTime?) {
        guard let built = CalendarDate(daysSince1970: Release.daysSince1970) else { return nil }
        self.init(built: built, today: day?.date ?? built)
    }
}
