// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The state of a u-blox chip at an epoch. Its properties are the UBX messages for that epoch.
struct UBXEpoch: Sendable {
    let chip: UBXChip
    let observation: Observation
    /// The time since the start of the receiver in seconds.
    let seconds: Double
    /// The time of week in milliseconds (`iTOW`). Until the time is known, the time since the
    /// receiver's start.
    let timeOfWeek: UInt32
    /// The last solution before this epoch, and its age in seconds; `nil` before the first fix.
    let lastSolution: (solution: Solution, age: Double)?
    /// The time from the start to the first fix in seconds; `nil` before it.
    let firstFix: Double?
    /// The decrease of every C/N0 caused by a jammer, in dB.
    let jamming: Double
    /// The gain (AGC) as a fraction of its normal value; `nil` to compute it from `jamming`.
    let gainFraction: Double?
    /// Whether the chip's spoofing detector reports false signals.
    let isSpoofingReported: Bool
    /// The standard deviation of the velocity error in each direction, in metres per second.
    let velocityDeviation: Double

    var solution: Solution? { observation.solution }

    /// Returns the frame of a message.
    func frame(_ message: UBXChip.Message) -> [UInt8] {
        switch message {
        case .posllh: posllh.frame
        case .sol: sol.frame
        case .velned: velned.frame
        case .timeUTC: timeUTC.frame
        case .pvt:
            // In generation 7, the message ends after `flags3` and its reserved bytes (84 bytes).
            UBXFrame.bytes(NavPVT.id, payload: Array(pvt.payload.prefix(chip.hasLongPVT ? 92 : 84)))
        case .hpposllh: hpposllh.frame
        case .sat: sat.frame
        case .sig: sig.frame
        case .svinfo: svinfo.frame
        case .status: status.frame
        case .dop: dop.frame
        case .cov: cov.frame
        case .pl: pl.frame
        case .eoe: eoe.frame
        case .hw: hw.frame
        case .rf: rf.frame
        case .secSIG: secSIG.frame
        }
    }

    private var eoe: NavEOE {
        var eoe = NavEOE()
        eoe.timeOfWeekMilliseconds = timeOfWeek
        return eoe
    }
}
