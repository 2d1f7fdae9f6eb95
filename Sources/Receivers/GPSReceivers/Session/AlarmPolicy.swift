// SPDX-License-Identifier: MIT
import GNSS

/// How positions are handled during an integrity alarm.
package enum AlarmPolicy: String, CaseIterable, Sendable {
    /// Positions are marked as doubtful but otherwise unchanged.
    case mark
    /// Positions are removed, as if the receiver had no fix. The receiver's sentences are not sent.
    case drop
}

/// The beginning, change or end of an alarm of one receiver.
package struct AlarmChange: Sendable {
    /// The function that can raise an alarm: integrity monitoring or the anchor watch.
    package enum Kind: String, Sendable { case integrity, anchor }

    /// The function that raised the alarm.
    package let kind: Kind
    /// The device's name.
    package let device: String
    /// The raw value of the new integrity state or anchor condition.
    package let state: String
    /// Whether the new state is an alarm.
    package let isAlarm: Bool
    /// The reasons for the new state, as text for display.
    package let reasons: [String]
    /// Whether the alarm was raised because the input has ended.
    package internal(set) var isInputOver = false

    /// Creates a change for an integrity alarm.
    init(device: String, integrity: Integrity) {
        (kind, self.device, state) = (.integrity, device, integrity.state.rawValue)
        isAlarm = integrity.state == .alarm
        reasons = integrity.reasons.map(\.text)
    }

    /// Creates a change for an alarm of the anchor watch.
    init(device: String, anchor: AnchorState) {
        (kind, self.device, state) = (.anchor, device, anchor.condition.rawValue)
        isAlarm = anchor.isAlarm
        reasons = [anchor.reason].compactMap(\.self)
    }
}

extension Fix {
    /// A copy of the fix without its position but with its time, for `AlarmPolicy.drop`. A simulated
    /// fix remains marked as simulated.
    var withTimeButNoPosition: Fix {
        var fix = withoutPosition
        (fix.time, fix.timeOfDay) = (time, timeOfDay)
        if quality == .simulated { fix.quality = .simulated }
        return fix
    }
}
