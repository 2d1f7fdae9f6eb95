// SPDX-License-Identifier: MIT
import Delegation
import Devices
import GNSS
import Receivers
import Screen
import Synchronization

/// Passes one receiver's updates to the screen.
final class ReceiverFeed: Sendable {
    let index: Int

    private let state: ScreenState
    private let isWaitedFor: Bool
    /// Whether there is nothing to show without it.
    private let isAlone: Bool
    private let end: Promise<Void>
    private let plotter: Plotter?
    private let progress = Mutex(Progress())
    /// Fixes to wait for, of all receivers together; `nil` for ever.
    private let count: Countdown?

    private struct Progress {
        var hasBeenOpen = false
        var hasBeenTried = false
    }

    init(
        state: ScreenState, index: Int, isWaitedFor: Bool, isAlone: Bool, end: Promise<Void>,
        count: Countdown?, plotter: Plotter?
    ) {
        self.plotter = plotter
        self.state = state
        self.index = index
        self.isWaitedFor = isWaitedFor
        self.isAlone = isAlone
        self.end = end
        self.count = count
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
                if self.end.isPending { self.plotter?.didReceive(update, from: source) }
                self.didReceive(update)
            },
        ]
    }

    private func didReceive(_ update: ReceiverUpdate) {
        switch update {
        case .opened(let device):
            progress.withLock { ($0.hasBeenOpen, $0.hasBeenTried) = (true, true) }
            state.update(index) { $0.opened(TerminalText.safe(device), at: $1) }
        case .unavailable(let error):
            let (hasBeenOpen, isFirst) = progress.withLock { progress in
                defer { progress.hasBeenTried = true }
                return (progress.hasBeenOpen, !progress.hasBeenTried)
            }
            // Access to what is plugged in already does not come by itself: waiting would not help.
            let isRefused = error.code == .permissionDenied && isFirst && isAlone
            guard hasBeenOpen || isWaitedFor && !isRefused else {
                end.reject(MonitorFailure(error))
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
                $0.didReceive(fix: epoch.fix, satellites: epoch.satellites, at: $1)
            }
            if epoch.fix.mode > .noFix, count?.isOver() == true { end.fulfil(()) }
        case .unheard(let bytes):
            let what =
                bytes == 0 ? "nothing has come yet" : "\(bytes) bytes, but no sentence: wrong rate?"
            state.update(index) { model, _ in model.troubled(what) }
        case .listening(let settings):
            state.update(index) { model, _ in model.troubled("listening at \(settings)") }
        case .understood: break
        case .troubled(let error) where error.code == .shared:
            state.update(index) { model, _ in model.shared("\(error)") }
        case .troubled(let error): state.update(index) { model, _ in model.troubled("\(error)") }
        case .ended(_, let error):
            let hasBeenOpen = progress.withLock { $0.hasBeenOpen }
            if let error, !hasBeenOpen { end.reject(error) }
            state.update(index) { $0.ended(error.map { "\($0)" }, at: $1) }
        }
    }
}

/// Counts fixes down.
final class Countdown: Sendable {
    private let remaining: Mutex<Int>

    init(_ count: Int) { remaining = Mutex(count) }

    /// Counts one more, and returns whether that was enough.
    func isOver() -> Bool {
        remaining.withLock { remaining in
            remaining -= 1
            return remaining <= 0
        }
    }
}
