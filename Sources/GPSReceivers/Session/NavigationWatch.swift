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
        /// The recorded time so far in seconds, computed from the times of the fixes. Used instead
        /// of the clock for recordings.
        var recorded = 0.0
        /// The time between the last two fixes with times, at most a second. It is assumed for
        /// fixes without a time.
        var period = 1.0
        var anchor: AnchorState?
        var start: MonotonicInstant?
        var device = ""
    }

    /// Sends the navigator's result for each epoch, before the epoch itself is sent. When the
    /// position is lost, sends a result before the update that reports the cause.
    package let changes = Event<Navigation>()
    private let isReplay: Bool
    private let startLimit: Duration
    private let state: Mutex<State>

    init(_ settings: Navigator.Settings, of source: any DeviceSource) {
        isReplay = source.origin == .replay
        startLimit = .seconds(settings.startLimit)
        state = Mutex(State(navigator: Navigator(settings), device: source.name))
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
        guard !isReplay, await poller.sleep(until: poller.now + startLimit) == .timedOut else {
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
            let step = state.clock.step(to: epoch.fix)
            if let step, step > 0 { state.period = min(1, step) }
            state.recorded += max(0, step ?? state.period)
            // A recording may be replayed faster than it was recorded.
            let start = state.start ?? now
            state.start = start
            let seconds = isReplay ? state.recorded : now.seconds(since: start)
            return state.navigator.receive(
                epoch.fix, at: seconds, time: epoch.fix.time ?? (isReplay ? nil : date))
        }
        guard !isReplay else { return nil }
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
}

extension ReceiverUpdate {
    /// The reason for the loss of the position; `nil` if the update does not mean that the position
    /// is lost.
    fileprivate var lossReason: String? {
        switch self {
        case .condition(.waiting, _): "the receiver cannot be opened"
        case .condition(.lost, _): "the receiver is gone"
        case .condition(.silent, _), .notice(.noSentences): "the receiver is silent"
        case .condition(.ended, _): "the input has ended"
        case .condition, .notice, .epoch, .satellites: nil
        }
    }
}
