// SPDX-License-Identifier: MIT
import CGPSMicrohttpd
import GPSIO
import GPSReceivers
import Synchronization

/// Has streams read on that have something to send again, on the server's thread: any thread may ask for it.
final class StreamResumption: Sendable {
    private let poller: Poller
    private let waiting = Mutex<[StreamBox]>([])

    /// Creates one for the streams of a server on this thread.
    init(_ poller: Poller) {
        self.poller = poller
    }

    /// Makes libmicrohttpd ask a stream for its next bytes.
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
            // Before reading: data that arrives from now on requests another call.
            stream.isWaiting.store(false, ordering: .releasing)
            if let response = stream.response { cmicrohttpd_resume(response) }
        }
    }
}

/// A stream together with its response in C.
// Safety: used on the server's thread only, as are all streams, but for `isWaiting`.
final class StreamBox: @unchecked Sendable {
    let stream: any HTTPStream
    /// `nil` before it has begun and after its end.
    var response: OpaquePointer?
    /// Whether it waits to be resumed.
    let isWaiting = Atomic(false)

    init(_ stream: any HTTPStream) {
        self.stream = stream
    }
}
