// SPDX-License-Identifier: MIT
import Devices
import GNSS

/// Listens to a connection until there is no doubt how the receiver is.
struct LineObservation {
    /// No receiver is silent for longer, whatever the rate at which it is read.
    private static let longestSilence = 6.0

    private let connection: any DeviceConnection
    private let origin: DataOrigin
    private let limit: Double
    private let poller: Poller
    private let start: ContinuousClock.Instant
    private var listener = LineAnalyzer()
    /// When the line's rate was set, in seconds since the start.
    private var lineStart = 0.0
    private var lastSettings: LineSettings?
    /// What came in the second that began then; of more than a line carries only a part is looked at.
    private var window = (start: 0.0, count: 0)

    init(
        _ connection: any DeviceConnection, origin: DataOrigin, limit: Double, poller: Poller
    ) {
        self.poller = poller
        start = poller.now
        self.connection = connection
        self.origin = origin
        self.limit = limit
    }

    var heard: LineReport {
        var heard = listener.heard(after: elapsed)
        heard.lineSeconds = heard.seconds - lineStart
        return heard
    }

    /// Listens; returns what the device failed with.
    mutating func run() async -> DeviceError? {
        let line = connection.rateSearch
        while !isClear {
            // Asked before: reading may end with a change of the rate.
            let settings = line?.settings
            if settings != lastSettings { (lastSettings, lineStart) = (settings, elapsed) }
            do throws(DeviceError) {
                switch try await connection.read(until: deadline) {
                case .bytes(let bytes): receive(bytes, settings)
                case .silence: listener.silence(at: settings)
                case .end:
                    listener.finish()
                    return nil
                }
            } catch {
                listener.finish()
                return error
            }
            if case .found? = line?.rate { listener.found() }
        }
        return nil
    }

    private mutating func receive(_ bytes: [UInt8], _ settings: LineSettings?) {
        if origin == .live {
            if elapsed - window.start >= 1 { window = (elapsed, 0) }
            window.count += bytes.count
            guard window.count <= LineReport.flood else { return listener.skip(bytes.count) }
        }
        listener.hear(bytes, at: settings)
    }

    private var elapsed: Double {
        let (seconds, attoseconds) = start.duration(to: poller.now).components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    private var end: Double { origin == .replay ? .infinity : limit }

    private var deadline: ContinuousClock.Instant? {
        guard origin != .replay else { return nil }
        let next = poller.now + (listener.patience ?? .milliseconds(500))
        return min(next, start + .seconds(limit))
    }

    /// Whether listening on would change nothing.
    private var isClear: Bool {
        guard origin != .replay else { return Task.isCancelled }
        let heard = self.heard
        if heard.seconds >= end { return true }
        if heard.totalByteCount == 0 { return heard.seconds >= Self.longestSilence }
        // The lists of satellites come every few seconds from some.
        if heard.fixCount >= 4 { return heard.view != nil || heard.seconds >= 8 }
        if heard.validCount == 0 {
            if heard.isFlooded { return heard.seconds >= 3 }
            return heard.seconds >= 4 && heard.frames.values.contains { $0 >= 8 }
        }
        return heard.seconds >= 10 && heard.validCount >= 10
    }
}

extension ListeningConnection {
    fileprivate var settings: LineSettings {
        switch rate {
        case .trying(let settings), .found(let settings): settings
        }
    }
}
