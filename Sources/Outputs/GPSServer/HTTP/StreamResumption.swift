// SPDX-License-Identifier: MIT
import CGPSMicrohttpd
import GPSIO
import Synchronization

/// Resumes paused responses on the HTTP server's thread. Any thread may call `resume(_:)`.
final class StreamResumption: Sendable {
    private let poller: Poller
    private let waiting = Mutex<[ResponsePause]>([])

    /// Creates an object for the responses of the HTTP server that runs on `poller`'s thread.
    init(_ poller: Poller) {
        self.poller = poller
    }

    /// Makes libmicrohttpd continue with a paused response. Does nothing if this is already
    /// scheduled.
    func resume(_ pause: ResponsePause) {
        guard !pause.isWaiting.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let isFirst = waiting.withLock { waiting in
            waiting.append(pause)
            return waiting.count == 1
        }
        if isFirst { Task(executorPreference: poller) { self.resumeAll() } }
    }

    private func resumeAll() {
        let pauses = waiting.withLock { exchange(&$0, with: []) }
        for pause in pauses {
            // The flag is cleared first, so that data added from now on causes another resumption.
            pause.isWaiting.store(false, ordering: .releasing)
            if let response = pause.response { cmicrohttpd_resume(response) }
        }
    }
}

/// A response that can be paused.
// Safety: used on the HTTP server's thread only, except for `isWaiting`, which is atomic.
final class ResponsePause: @unchecked Sendable {
    /// libmicrohttpd's object; `nil` before the response begins and after it ends.
    var response: OpaquePointer?
    /// Whether a resumption is pending.
    let isWaiting = Atomic(false)
}

/// A stream, and the object that pauses and resumes its response.
final class StreamBox: Sendable {
    let stream: any HTTPStream
    let pause = ResponsePause()

    init(_ stream: any HTTPStream) {
        self.stream = stream
    }
}
