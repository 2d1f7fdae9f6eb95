// SPDX-License-Identifier: MIT
import GNSS

/// A `TOFF` report with an epoch's time and the system's time when it arrived, or a `PPS` report
/// for a pulse.
package struct TimeOffsetReport {
    /// The line, with its line end.
    package let line: [UInt8]

    /// Encodes `PPS` for the sample of a pulse, otherwise `TOFF`.
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
