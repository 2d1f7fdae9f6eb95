// SPDX-License-Identifier: MIT
import GNSS

extension SimulatedReceiver {
    /// Adds a fault, which takes effect from its start time on.
    package mutating func add(_ fault: Fault) {
        faults.faults.append(fault)
        line.add(fault)
    }

    /// The decrease of C/N0 by the fault `jam`, in dB. No signal can be tracked with it.
    private static let jammingLoss = 40.0

    /// Returns the effects of the active faults on the receiver's observations.
    func disturbances(at seconds: Double) -> Disturbances {
        var result = Disturbances()
        for fault in faults.faults {
            // A leap second stays in effect after the end of the fault.
            if case .leapSecond = fault.kind, seconds >= fault.start {
                result.leapSecondDay = time(after: fault.start).date
            }
            guard fault.isActive(at: seconds) else { continue }
            switch fault.kind {
            case .jamming: result.jamming = Self.jammingLoss
            case .lostFix: result.isFixLost = true
            case .urban: result.surroundings = .urban()
            case .spoofing(let north, let east):
                result.spoofedNorth += north
                result.spoofedEast += east
            case .weekRollover: result.clockOffset &+= Disturbances.weekRollover
            case .clockOff(let offset): result.clockOffset &+= Self.nanoseconds(offset)
            default: attack(fault, at: seconds, &result)
            }
        }
        return result
    }

    /// Returns the simulated time `seconds` after the start.
    func time(after seconds: Double) -> UTCTime {
        let elapsed = max(0, Self.nanoseconds(seconds))
        return UTCTime(unixNanoseconds: start.unixNanoseconds &+ elapsed) ?? start
    }
}
