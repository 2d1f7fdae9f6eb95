// SPDX-License-Identifier: MIT
package import GNSS
package import UBX

extension UBXFrame {
    /// The UTC time of the epoch; `nil` unless the message reports it.
    package var epochTime: TimeOfDay? {
        let report: WeekClock.Report? =
            switch id {
            case NavPVT.id: NavPVT(self)?.time
            case NavPVAT.id: NavPVAT(self)?.time
            case NavTIMEUTC.id: NavTIMEUTC(self)?.time
            default: nil
            }
        if case .utc(let time, _) = report { return time }
        return nil
    }

    /// The ids of messages that begin with the time of week. Most recordings without a UTC time
    /// contain at least one of them.
    private static let timedByWeek = [
        NavSOL.id, NavPOSLLH.id, NavTIMEGPS.id, NavSAT.id, NavSIG.id, NavEOE.id,
    ]

    /// The epoch's time of week, wrapped to a time of day; `nil` unless the message is one of
    /// `timedByWeek`. A replay uses it to keep the intervals of the recording.
    package var epochTimeOfWeek: TimeOfDay? {
        guard Self.timedByWeek.contains(id), payload.count >= 4 else { return nil }
        let milliseconds = (0..<4).reduce(0) { $0 | Int64(payload[$1]) << Int64(8 * $1) }
        return TimeOfDay(wrapping: milliseconds * 1_000_000)
    }
}
