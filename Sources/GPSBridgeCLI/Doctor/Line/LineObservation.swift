// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Glibc

/// Reads a connection until the condition of the receiver is certain.
struct LineObservation {
    /// No receiver is silent for longer, whatever the rate at which it is read.
    private static let longestSilence = 6.0

    private var line: RateFindingReader
    private let origin: DataOrigin
    private let limit: Double
    private let poller: Poller
    private let start: MonotonicInstant
    private var listener = LineAnalyzer()
    /// When the line's rate was set, in seconds since the start.
    private var lineStart = 0.0
    private var lastSettings: LineSettings?
    /// When bursts begin; `nil` if the delay is not the receiver's and its line's.
    private var timer: BurstTimer?
    private var delays: [Double] = []
    private var epochCount = 0
    /// The bytes of each second; of a flood, only a part is examined.
    private var window = (start: 0.0, count: 0)

    init(
        _ connection: any DeviceConnection, origin: DataOrigin, limit: Double, poller: Poller
    ) {
        self.poller = poller
        start = poller.now
        line = RateFindingReader(connection, poller: poller)
        self.origin = origin
        self.limit = limit
        let isPseudoTerminal = SourceIdentity(path: connection.name).description
            .hasPrefix("/dev/pts")
        if origin.mayBeLive, connection.serialLine != nil, !isPseudoTerminal {
            timer = BurstTimer()
        }
    }

    var heard: LineReport {
        var heard = listener.heard(after: elapsed)
        heard.lineSeconds = heard.seconds - lineStart
        heard.delays = delays
        return heard
    }

    /// Listens; returns what the device failed with.
    mutating func run() async -> DeviceError? {
        while !isClear {
            // Asked before: reading may end with a change of the rate.
            let settings = line.settings
            if settings != lastSettings { (lastSettings, lineStart) = (settings, elapsed) }
            do throws(DeviceError) {
                switch try await line.read(until: deadline) {
                case .bytes(let bytes): receive(bytes, settings)
                case .silence:
                    listener.silence(at: settings)
                    noteDelay()
                case .end:
                    listener.finish()
                    return nil
                }
            } catch {
                listener.finish()
                return error
            }
            if line.hasFound { listener.found() }
        }
        return nil
    }

    private mutating func receive(_ bytes: [UInt8], _ settings: LineSettings?) {
        if origin.mayBeLive {
            if elapsed - window.start >= 1 { window = (elapsed, 0) }
            window.count += bytes.count
            guard window.count <= LineReport.flood else { return listener.skip(bytes.count) }
        }
        timer?.receive(byteCount: bytes.count, baudRate: settings?.baudRate.rawValue)
        listener.hear(bytes, at: settings)
        noteDelay()
    }

    /// Compares the system's clock with the time of an epoch that has just been completed.
    private mutating func noteDelay() {
        guard timer != nil else { return }
        let heard = listener.heard(after: 0)
        guard heard.epochCount != epochCount else { return }
        epochCount = heard.epochCount
        guard let start = timer?.takeStart(), let fix = heard.fix, fix.mode > .noFix,
            let time = fix.time
        else { return }
        delays.append(Double(start - time.unixNanoseconds) / 1e9)
    }

    private var elapsed: Double { poller.now.seconds(since: start) }

    private var end: Double { origin == .replay ? .infinity : limit }

    private var deadline: MonotonicInstant? {
        guard origin != .replay else { return nil }
        let next = poller.now + (listener.silenceTolerance ?? .milliseconds(500))
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
        if heard.validCount == 0 || heard.binaryProtocol != nil {
            if heard.isFlooded { return heard.seconds >= 3 }
            return heard.seconds >= 4 && heard.frames.values.contains { $0 >= 8 }
        }
        return heard.seconds >= 10 && heard.validCount >= 10
    }
}
