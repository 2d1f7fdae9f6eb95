// SPDX-License-Identifier: MIT
import GPSIO
import Synchronization

/// A response that is produced completely on a background thread, and then sent.
final class BackgroundResponse: Sendable {
    private struct State {
        var answer: HTTPResponse?
        var work: Task<Void, Never>?
    }

    /// The paused response to the request, which `HTTPServer` resumes when this response is ready.
    let pause = ResponsePause()
    private let permit: StreamLimit.Permit
    private let make: @Sendable () -> HTTPResponse
    private let state = Mutex(State())

    /// Creates a response that is produced by calling `make` once, which may block. `permit` is
    /// held until `make` has returned and this object has been released.
    init(_ permit: StreamLimit.Permit, _ make: @escaping @Sendable () -> HTTPResponse) {
        self.permit = permit
        self.make = make
    }

    /// The response; `nil` until it has been produced.
    var answer: HTTPResponse? { state.withLock { $0.answer } }

    /// Starts to produce the response. Calls `resume`, on any thread, when it is ready.
    func begin(resume: @escaping @Sendable () -> Void) {
        let (permit, make) = (permit, make)
        let work = Task.detached(executorPreference: BackgroundExecutor.shared) { [weak self] in
            // The permit is held until the work is done, even if the client has disconnected.
            let answer: HTTPResponse? = withExtendedLifetime(permit) {
                Task.isCancelled ? nil : make()
            }
            self?.state.withLock { $0.answer = answer }
            resume()
        }
        state.withLock { $0.work = work }
    }

    /// Cancels the work. It is no longer needed, because the client has received the response or
    /// has disconnected.
    func end() {
        let work = state.withLock { exchange(&$0, with: State()).work }
        work?.cancel()
    }
}
