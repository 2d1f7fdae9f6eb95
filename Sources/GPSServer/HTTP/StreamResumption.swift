// SPDX-License-Identifier: MIT
import CGPSMicrohttpd
import GPSIO
import GPSReceivers
import Synchronization

/// Resumes paused streams on the HTTP server's thread. Any thread may call it.
final class StreamResumption: Sendable {
    private let poller: Poller
    private let waiting = Mutex<[StreamBox]>([])

    /// Creates an object for the streams of the HTTP server that runs on `poller`'s thread.
    init(_ poller: Poller) {
        self.poller = poller
    }

    /// Makes libmicrohttpd read the next bytes of a stream. Does nothing if that is already
    /// pending.
    func resume(_ stream: StreamBox) {
        guard !stream.isWaiting.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let isFirst = waiting.withLock { waiting in
            waiting.append(stream)
            return waiting.count == 1
        }
        if isFirst { Task(executorPreference: poller) { self.resumeAll() } }
    }

    private func resumeAll() {
        let streams = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for stream in streams {
            // The flag is cleared first, so that data added from now on causes another resumption.
            stream.isWaiting.store(false, ordering: .releasing)
            if let response = stream.response { cmicrohttpd_resume(response) }
        }
    }
}

/// A stream and its libmicrohttpd response.
// Safety: used on the HTTP server's thread only, except for `isWaiting`, which is atomic.
final class StreamBox: @unchecked Sendable {
    let stream: any HTTPStream
    /// The response; `nil` before the stream begins and after it ends.
    var response: OpaquePointer?
    /// Whether a resumption is pending.
    let isWaiting = Atomic(false)

    init(_ stream: any HTTPStream) {
        self.stream = stream
    }
}
