// SPDX-License-Identifier: MIT
import AIS
import GNSS
import GPSFormats
import GPSReceivers

extension ServedReceiver {
    /// The current state of a receiver.
    struct State {
        let devices: ServedDevices
        var device: ServedDevice { didSet { devices.noteChange() } }
        var reports: GPSDReports
        var vessels: VesselReports
        var lastTime: UTCTime?
        /// Logs a failure to open once per cause.
        var reporter: ConditionReporter
        var clock = ReceiverClock(obstacle: nil)
        /// Whether its line has pulses. They are used from the first fix on, when the baud rate is
        /// known.
        var hasPulses = false
        /// Whether a client wants unchanged bytes. Bytes are also counted if there are clocks.
        var wantsBytes = false
        var metrics = ReceiverMetrics()
        var opened: MonotonicInstant?
        /// Whether a client's change is in progress.
        var isChanging = false

        /// Discards a fix that is too old; returns the lines that report its end.
        mutating func endFix() -> [[UInt8]] {
            device.mode = .noFix
            device.lastReports = [:]
            lastTime = nil
            metrics.fix = Fix()
            metrics.view = SatelliteView()
            reports.removeAll()
            reports.report(Fix())
            return ServedReceiver.lines(reports)
        }

        /// Stores a fix for polls and metrics.
        mutating func count(
            _ fix: Fix, tpv: [UInt8]?, gst: [UInt8]?, at now: MonotonicInstant
        ) {
            device.mode = fix.mode
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
}
