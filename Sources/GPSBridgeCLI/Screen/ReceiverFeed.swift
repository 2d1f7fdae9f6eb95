// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSReceivers
import GPSViews
import Synchronization

/// Passes one receiver's updates to the screen.
final class ReceiverFeed: Sendable {
    let index: Int

    private let state: ScreenState
    private let isWaitedFor: Bool
    /// Whether there is nothing to show without it.
    private let isAlone: Bool
    private let progress: MonitorProgress
    private let plotter: Plotter?
    private let attempts = Mutex(Attempts())

    private struct Attempts {
        var hasBeenOpen = false
        var hasBeenTried = false
    }

    init(
        state: ScreenState, index: Int, isWaitedFor: Bool, isAlone: Bool,
        progress: MonitorProgress, plotter: Plotter?
    ) {
        self.plotter = plotter
        self.state = state
        self.index = index
        self.isWaitedFor = isWaitedFor
        self.isAlone = isAlone
        self.progress = progress
    }

    func subscribe(to source: any DeviceSource) -> [ScopedSubscription] {
        let session = ReceiverPool.shared.session(for: source)
        let (state, index) = (state, index)
        return [
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
                // What comes after the last fix that was asked for is not drawn.
                if self.progress.end.isPending { self.plotter?.didReceive(update, from: source) }
                self.didReceive(update)
            },
        ]
    }

    private func didReceive(_ update: ReceiverUpdate) {
        switch update {
        case .opened(let device):
            attempts.withLock { ($0.hasBeenOpen, $0.hasBeenTried) = (true, true) }
            state.update(index) { $0.opened(TerminalText.safe(device), at: $1) }
        case .unavailable(let error):
            let (hasBeenOpen, isFirst) = attempts.withLock { attempts in
                defer { attempts.hasBeenTried = true }
                return (attempts.hasBeenOpen, !attempts.hasBeenTried)
            }
            // Access to what is plugged in already does not come by itself: waiting would not help.
            let isRefused = error.code == .permissionDenied && isFirst && isAlone
            guard hasBeenOpen || isWaitedFor && !isRefused else {
                progress.end.reject(MonitorFailure(error))
                return
            }
            let isAbsent = error.code == .noReceiver || error.code == .notFound
            // That it is gone is seen.
            if hasBeenOpen, isAbsent { return }
            let reason = error.code == .noReceiver ? "plug one in" : "\(error)"
            state.update(index) { $0.unavailable(reason, at: $1) }
        case .lost(let error): state.update(index) { $0.lost("\(error)", at: $1) }
        case .satellites(let view):
            state.update(index) { model, _ in model.didReceive(satellites: view) }
        case .epoch(let epoch):
            state.update(index) {
                $0.set(ScreenModel.Origin(epoch.origin))
                $0.didReceive(fix: epoch.fix, satellites: epoch.satellites, at: $1)
            }
            if epoch.fix.mode > .noFix { progress.countOne() }
        case .unheard(let bytes):
            let what =
                bytes == 0 ? "nothing has come yet" : "\(bytes) bytes, but no sentence: wrong rate?"
            state.update(index) { model, _ in model.troubled(what) }
        case .listening(let settings):
            state.update(index) { model, _ in model.troubled("listening at \(settings)") }
        case .understood: break
        case .silent(let seconds):
            state.update(index) { model, _ in model.troubled("silent for \(seconds) s") }
        case .troubled(let error) where error.code == .shared:
            state.update(index) { model, _ in model.shared("\(error)") }
        case .troubled(let error): state.update(index) { model, _ in model.troubled("\(error)") }
        case .ended(_, let error):
            let hasBeenOpen = attempts.withLock { $0.hasBeenOpen }
            if let error, !hasBeenOpen { progress.end.reject(error) }
            state.update(index) { $0.ended(error.map { "\($0)" }, at: $1) }
        }
    }
}
