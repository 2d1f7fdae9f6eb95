// SPDX-License-Identifier: MIT
import AIS
import GNSS
import GPSFormats
import GPSReceivers
import Synchronization

extension ServedReceiver {
    /// The mutable state of a served receiver.
    struct State {
        var device: ServedDevice
        var reports: GPSDReports
        var vessels: AISReports
        var signalK: SignalKReports
        var lastTime: UTCTime?
        /// Creates the log messages about updates. It reports a repeated failure to open only once
        /// for each cause.
        var reporter: ConditionReporter
        var clock = ReceiverClock(obstacle: nil)
        /// Whether the line's PPS signal is to be read. Reading starts after the first fix, when
        /// the baud rate is known.
        var hasPulses = false
        /// Whether the receiver was removed, and its alarms have ended.
        var hasEndedAlarms = false
        /// Whether the last fix has an integrity alarm.
        var hasAlarm = false
        /// Whether any client receives raw bytes. If not, bytes are only counted and timed.
        var wantsBytes = false
        /// The incomplete message that clients of raw bytes have not received.
        var messages = MessageBuffer()
        /// The time at which the bytes in `messages` are sent even if the message is incomplete;
        /// `nil` if there are none, or if the source can wait.
        var messageDeadline: MonotonicInstant?
        /// Whether a task waits for `messageDeadline`.
        var hasMessageTimer = false
        var metrics = ReceiverMetrics()
        var opened: MonotonicInstant?
        var firstSentence: MonotonicInstant?
        /// Whether a change that a client requested is in progress.
        var isChanging = false

        /// Discards the last fix and satellite view. Returns the lines that report the loss to
        /// clients.
        mutating func endFix() -> [[UInt8]] {
            device.mode = .noFix
            device.lastReports = [:]
            lastTime = nil
            metrics.fix = Fix()
            metrics.view = SatelliteView()
            reports.removeAll()
            var fix = Fix()
            // libgps reads members of nested objects as members of the report, up to the first
            // list. The list of a verdict's reasons precedes the anchor and the waypoint, so libgps
            // does not read their members.
            if reports.navigation != nil { fix.integrity = Integrity() }
            reports.report(fix)
            return reports.lines
        }

        /// Stores a fix and its report lines for `POLL` and `/metrics`. Also measures the cycle and
        /// the time to first fix.
        mutating func count(
            _ fix: Fix, tpv: [UInt8]?, gst: [UInt8]?, at now: MonotonicInstant
        ) {
            device.mode = fix.mode
            (device.dilution, device.satellitesUsed) = (fix.dilution, fix.satellitesUsed)
            hasAlarm = fix.integrity?.state == .alarm
            device.lastReports[.tpv] = tpv.map(ServedReceiver.object)
            device.lastReports[.gst] = gst.map(ServedReceiver.object)
            metrics.fix = fix
            metrics.fixCounts[max(fix.mode.rawValue, 1), default: 0] += 1
            if fix.mode > .noFix, metrics.timeToFirstFix == nil, let opened {
                metrics.timeToFirstFix = now.seconds(since: opened)
            }
            if let time = fix.time, let last = lastTime {
                let period = Double(time.unixNanoseconds &- last.unixNanoseconds) / 1e9
                if 0.01...60 ~= period { device.cycle = period }
            }
            lastTime = fix.time
        }
    }

    /// Sets the receiver's index among the server's receivers; `nil` if it is the only one. Logs a
    /// message if clock services begin or stop to use this receiver's time because of the new
    /// index.
    func setIndex(_ new: Int?) {
        let old = index.withLock { exchange(&$0, with: new) }
        guard clocks.usesTime(of: old) != clocks.usesTime(of: new) else { return }
        let (device, isUsed) = state.withLock { ($0.device, $0.clock.isUsed) }
        if device.activated != nil, isUsed == true { reportClock(.used, of: device.path) }
    }

    /// Reports to clients that the data is a replay. Call it before the first replayed sentence is
    /// sent.
    func noteReplay() {
        publish(
            state.withLock { state in
                state.device.origin = .replay
                return state.device
            })
    }

    private static func object(_ line: [UInt8]) -> String {
        String(decoding: line.dropLast(2), as: UTF8.self)
    }
}
