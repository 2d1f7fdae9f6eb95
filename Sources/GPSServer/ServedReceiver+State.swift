// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSReceivers

extension ServedReceiver {
    /// The present state of a receiver.
    struct State {
        let devices: ServedDevices
        var device: ServedDevice { didSet { devices.noteChange() } }
        var reports: GPSDReports
        var lastTime: UTCTime?
        /// A failure to open is logged once per cause.
        var reporter: ConditionReporter
        var clock = ReceiverClock(obstacle: nil)
        /// Whether its line has pulses, which are waited for from the first fix on: the rate is known then.
        var hasPulses = false
        /// Whether a client requests the bytes. With clocks, they are always counted.
        var wantsBytes = false
        var metrics = ReceiverMetrics()
        var opened: MonotonicInstant?
        /// The maker of the receiver, as far as its sentences identify it.
        var maker: ReceiverMaker?
        /// Whether a client is changing it.
        var isChanging = false

        /// Removes its fix, which is too old to be reported; returns the lines that report this.
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

        /// Keeps what is polled and measured of a fix.
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
