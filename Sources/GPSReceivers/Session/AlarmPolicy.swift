// SPDX-License-Identifier: MIT
package import GNSS

/// The treatment of positions during an integrity alarm.
package enum AlarmPolicy: String, CaseIterable, Sendable {
    /// They are marked, and passed on unchanged.
    case mark
    /// They are left out, as if the receiver had no fix, and so are its sentences.
    case drop
}

/// The beginning or the end of a receiver's integrity alarm.
package struct AlarmChange: Sendable {
    /// The device's name.
    package let device: String
    /// The verdict: an alarm, or the state after it.
    package let integrity: Integrity
}

extension Fix {
    /// What is left of a fix while positions are dropped.
    var withoutPositionButTime: Fix {
        var fix = withoutPosition
        (fix.time, fix.timeOfDay) = (time, timeOfDay)
        return fix
    }
}
