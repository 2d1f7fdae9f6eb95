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
        let (state, index) = (state, index)
        let navigation =
            session.navigation.map { watch in
                [
                    watch.changes.observe { navigation in
                        state.update(index) { model, _ in model.didReceive(navigation: navigation) }
                    }.scoped
                ]
            } ?? []
        return navigation + [
            session.sentences.observe { bytes in
                state.update(index) { $0.didReceive(sentence: bytes, at: $1) }
            }.scoped,
            session.bytes.observe { bytes in
                state.update(index) { model, _ in model.didReceive(bytes: bytes) }
            }.scoped,
            session.rejections.observe { rejection in
                state.update(index) { $0.didReceive(rejection: rejection, at: $1) }
            }.scoped,
            session.join { update in
                // Updates after the last requested fix are not plotted.
                if self.progress.end.isPending {
                    self.plotter?.didReceive(update, from: self.source)
                }
                self.didReceive(update)
            },
        ]
    }

    private func didReceive(_ update: ReceiverUpdate) {
        if case .failure(let error) = reporter.withLock({ $0.report(update) }) {
            return progress.fail(error)
        }
        switch update {
        case .condition(let condition, let former): changed(to: condition, after: former)
        case .notice(let notice): didReceive(notice)
        case .satellites(let view):
            state.update(index) { model, _ in model.didReceive(satellites: view) }
        case .epoch(let epoch):
            state.update(index) {
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
            state.update(index) { $0.opened(TerminalText.safe(device), at: $1) }
        case .open(_, nil): state.update(index) { model, _ in model.didResumeMessages() }
        case .open(_, let problem?):
            state.update(index) { model, _ in model.setProblem("\(problem)") }
        case .silent: state.update(index) { model, _ in model.silent() }
        case .waiting(let error):
            let reason =
                error.code == .noReceiver ? "plug one in, or run gpsbridge doctor" : "\(error)"
            state.update(index) { $0.unavailable(reason, at: $1) }
        case .lost(let error): state.update(index) { $0.lost("\(error)", at: $1) }
        case .ended(let ending):
            // If the source was never open, there is nothing to show, so the command ends.
            if let error = ending.error, !former.isOpen { progress.end.reject(error) }
            state.update(index) { $0.ended(ending.error.map { "\($0)" }, at: $1) }
        }
    }

    private func didReceive(_ notice: ReceiverNotice) {
        switch notice {
        case .tryingRate(let settings):
            state.update(index) { model, _ in model.setProblem("listening at \(settings)") }
        case .noSentences(let bytes):
            let what =
                bytes == 0
                ? "no data yet"
                : "\(Plural.text(bytes, "byte")), but no sentence: wrong baud rate?"
            state.update(index) { model, _ in model.setProblem(what) }
        case .otherReader(let error):
            state.update(index) { model, _ in model.setLastingProblem(error.map { "\($0)" }) }
        case .otherDatum(let datum):
            let problem = "datum \(datum), not WGS 84"
            state.update(index) { model, _ in model.setLastingProblem(problem) }
        case .oneDevice(let path):
            let name = TerminalText.safe(path)
            state.update(index) { model, _ in model.chosenReceiver = name }
        case .rateFound, .replay, .member, .vote: break
        }
    }
}
