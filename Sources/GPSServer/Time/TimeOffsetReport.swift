// SPDX-License-Identifier: MIT
import GNSS

/// A `TOFF` report: the receiver's time of an epoch and the system's clock at its arrival; or a
/// `PPS` report for a pulse.
package struct TimeOffsetReport {
    /// The line, with its line end.
    package let line: [UInt8]

    /// Encodes the report of a sample.
    package init(_ sample: ClockSample, device: String) {
        var object = JSONObject(class: sample.isPulse ? "PPS" : "TOFF")
        object.add("device", device)
        for (name, time) in [("real", sample.trueTime), ("clock", sample.systemTime)] {
            let seconds = floorDivided(time, 1_000_000_000)
            object.add("\(name)_sec", Int(seconds))
            object.add("\(name)_nsec", Int(time - seconds * 1_000_000_000))
        }
        if sample.isPulse { object.add("precision", sample.precision) }
        line = object.line
    }
}
