// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSReceivers
import GPSViews
import Synchronization

/// Subscribes to one receiver, and passes its updates to the screen, the plot and the progress.
final class ReceiverFeed: Sendable {
    let index: Int

    private let state: ScreenState
    private let progress: MonitorProgress
    private let plotter: Plotter?
    private let source: any DeviceSource
    private let reporter: Mutex<ConditionReporter>

    init(
        _ source: any DeviceSource, _ policy: WaitPolicy, state: ScreenState, index: Int,
        progress: MonitorProgress, plotter: Plotter?
    ) {
        self.source = source
        reporter = Mutex(ConditionReporter(source, policy))
        self.plotter = plotter
        self.state = state
        self.index = index
        self.progress = progress
    }

    func subscribe() -> [ScopedSubscription] {
        let session = ReceiverPool.shared.session(for: source)
        let navigation = session.navigation?.changes.observe { navigation in
            self.update { model, _ in model.navigation = navigation }
        }
        return [
            navigation?.scoped,
            session.sentences.observe { bytes in
                self.update { $0.stream.count(sentence: bytes, at: $1) }
            }.scoped,
            session.bytes.observe { bytes in
                self.update { model, _ in model.stream.note(bytes) }
            }.scoped,
            session.rejections.observe { rejection in
                self.update { $0.stream.count(rejection, at: $1) }
            }.scoped,
            session.join { update in
                // Updates after the last requested fix are not plotted.
                if self.progress.end.isPending {
                    self.plotter?.didReceive(update, from: self.source)
                }
                self.didReceive(update)
            },
        ].compactMap(\.self)
    }

    private func update(_ change: (inout ScreenModel, ClockReading) -> Void) {
        state.update(index, change)
    }

    private func didReceive(_ update: ReceiverUpdate) {
        if case .failure(let error) = reporter.withLock({ $0.report(update) }) {
            return progress.fail(error)
        }
        // If the source was never open, there is nothing to show, so the command ends.
        if case .condition(.ended(let ending), let former) = update, let error = ending.error,
            !former.isOpen
        {
            progress.end.reject(error)
        }
        self.update { $0.didReceive(update, from: source, at: $1) }
        if case .epoch(let epoch) = update,
            epoch.fix.mode > .noFix || epoch.fix.isAttitudeOnly
        {
            progress.countOne()
        }
    }
}
