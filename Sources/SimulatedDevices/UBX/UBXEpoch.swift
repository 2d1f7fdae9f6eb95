// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// An epoch of a u-blox chip, from which its messages are made.
struct UBXEpoch: Sendable {
    let chip: UBXChip
    let observation: Observation
    /// Seconds since the start of the receiver.
    let seconds: Double
    /// Milliseconds since the start of the GPS week; without the time since the receiver's start.
    let timeOfWeek: UInt32
    /// The last solution before this epoch, and the seconds since it; `nil` before the first fix.
    let lastSolution: (solution: Solution, age: Double)?
    /// The seconds from the start to the first fix.
    let firstFix: Double?
    /// The decrease of every C/N0 by a jammer, in dB.
    let jamming: Double
    /// The share of its usual value to which the gain control attenuates; `nil` for the one that
    /// follows from `jamming`.
    let gainShare: Double?
    /// Whether the detector of false signals reports them.
    let isSpoofingReported: Bool
    /// Standard deviation of the velocity in each direction, in metres per second.
    let velocityDeviation: Double

    var solution: Solution? { observation.solution }

    /// Returns a frame.
    func frame(_ message: UBXChip.Message) -> [UInt8] {
        switch message {
        case .pvt:
            // Generation 7 ends after `flags3` and four reserved bytes.
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
