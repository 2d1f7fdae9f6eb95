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
        switch update {
        case .condition(let condition, let former): changed(to: condition, after: former)
        case .notice(let notice): didReceive(notice)
        case .satellites(let view): self.update { model, _ in model.didReceive(satellites: view) }
        case .epoch(let epoch):
            self.update {
                $0.set(epoch.origin)
                $0.didReceive(fix: epoch.fix, satellites: epoch.satellites, at: $1)
            }
            if epoch.fix.mode > .noFix || epoch.fix.isAttitudeOnly { progress.countOne() }
        }
    }

    private func changed(to condition: ReceiverCondition, after former: ReceiverCondition) {
        switch condition {
        case .searching: break
        case .open(let device, nil) where !former.isOpen:
            update { $0.opened(TerminalText.safe(device), at: $1) }
        case .open(_, nil): update { model, _ in model.passingProblem = nil }
        case .open(_, let problem?): update { model, _ in model.passingProblem = "\(problem)" }
        case .silent: update { model, _ in model.silent() }
        case .waiting(let error):
            let reason =
                error.code == .noReceiver ? "plug one in, or run gpsbridge doctor" : "\(error)"
            update { $0.unavailable(reason, at: $1) }
        case .lost(let error): update { $0.lost("\(error)", at: $1) }
        case .ended(let ending):
            // If the source was never open, there is nothing to show, so the command ends.
            if let error = ending.error, !former.isOpen { progress.end.reject(error) }
            update { $0.ended(ending.error.map { "\($0)" }, at: $1) }
        }
    }

    private func didReceive(_ notice: ReceiverNotice) {
        switch notice {
        case .tryingRate(let settings):
            update { model, _ in model.passingProblem = "listening at \(settings)" }
        case .noSentences(let bytes):
            let what =
                bytes == 0
                ? "no data yet"
                : "\(Plural.text(bytes, "byte")), but no sentence: wrong baud rate?"
            update { model, _ in model.passingProblem = what }
        case .otherReader(let error):
            update { model, _ in model.lastingProblem = error.map { "\($0)" } }
        case .otherDatum(let datum):
            update { model, _ in model.lastingProblem = "datum \(datum), not WGS 84" }
        case .oneDevice(let path):
            update { model, _ in model.chosenReceiver = TerminalText.safe(path) }
        case .rateFound, .replay, .member, .vote: break
        }
    }
}
