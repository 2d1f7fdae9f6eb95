// SPDX-License-Identifier: MIT
package import GNSS
package import UBX

/// A UBX message that contributes to a fix, a satellite view or the receiver's state.
protocol EpochMessage: UBXMessage {
    /// Reads a frame of this type and adds its contribution to the assembler. Returns `false` if
    /// the frame is malformed.
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool
}

/// A UBX message that reports values of one epoch. Its time of week identifies the epoch.
protocol TimedMessage: EpochMessage {
    /// The GPS time of week in milliseconds.
    var timeOfWeekMilliseconds: UInt32 { get }

    /// The time of the epoch, if the message reports it. Default: `.unreported`.
    var time: WeekClock.Report { get }

    /// Sets the values that the message reports about the fix.
    func contribute(to epoch: inout Epoch)
}

extension TimedMessage {
    var time: WeekClock.Report { .unreported }

    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        guard let message = Self(frame) else { return false }
        assembler.receive(message)
        return true
    }
}

/// Finds the `EpochMessage` type of a UBX frame by its class and id.
enum EpochMessages {
    /// The message types with their ids. The list is searched linearly, so the most frequent ones
    /// are first.
    private static let known: [(id: UBXMessageID, type: any EpochMessage.Type)] =
        ([
            NavPVT.self, NavSAT.self, NavSIG.self, NavEOE.self, NavDOP.self, NavCOV.self,
            NavHPPOSLLH.self, NavSTATUS.self, NavPOSLLH.self, NavVELNED.self, NavSOL.self,
            NavSVINFO.self, NavTIMEGPS.self, NavTIMEUTC.self, NavPVAT.self, NavPL.self,
            NavRELPOSNED.self, NavCLOCK.self, MonRF.self, MonHW.self, SecSIG.self,
        ] as [any EpochMessage.Type]).map { ($0.id, $0) }

    private static let noticeID = UBXMessageID(4, UBXNotice.Level.notice.rawValue)

    /// Marks the epoch as simulated if the frame is the notice `UBXNotice.simulated`. Simulated
    /// receivers send it in each epoch, because no navigation message can mark a fix as simulated.
    /// Returns `false` for any other notice.
    private static func receiveNotice(
        _ frame: UBXFrame, into assembler: inout FixAssembler
    ) -> Bool {
        guard frame.payload.count == UBXNotice.simulated.utf8.count,
            UBXNotice(frame)?.text == UBXNotice.simulated
        else { return false }
        assembler.receive(from: Address(frame.id), timing: .untimed) {
            $0.fill(quality: .simulated)
        }
        return true
    }

    /// Adds the contribution of a frame. Returns `false` if the frame is malformed or of another
    /// type.
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        if frame.id == noticeID { return receiveNotice(frame, into: &assembler) }
        for message in known where message.id == frame.id {
            return message.type.receive(frame, into: &assembler)
        }
        return false
    }
}

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
