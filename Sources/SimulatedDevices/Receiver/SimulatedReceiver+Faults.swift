// SPDX-License-Identifier: MIT
import GNSS

extension SimulatedReceiver {
    /// Adds a fault, which begins at its own time.
    package mutating func add(_ fault: Fault) {
        faults.faults.append(fault)
        line.add(fault)
    }

    /// The attenuation in dB by a jammer, with which no signal can be tracked.
    private static let jammer = 40.0

    /// Returns the effect of the active faults on the receiver.
    func disturbances(at seconds: Double) -> Disturbances {
        var result = Disturbances()
        for fault in faults.faults {
            // The leap second is at the end of a day that began before.
            if case .leapSecond = fault.kind, seconds >= fault.start {
                result.leapSecondDay = day(after: fault.start)
            }
            guard fault.isActive(at: seconds) else { continue }
            switch fault.kind {
            case .jamming: result.jamming = Self.jammer
            case .lostFix: result.isFixLost = true
            case .urban: result.surroundings = .urban()
            case .spoofing(let north, let east):
                result.spoofedNorth += north
                result.spoofedEast += east
            case .weekRollover: result.clockOffset &+= Disturbances.weekRollover
            case .clockOff(let offset) where offset.isFinite:
                result.clockOffset &+= Int64((min(1e9, max(-1e9, offset)) * 1e9).rounded())
            default: attack(fault, at: seconds, &result)
            }
        }
        return result
    }

    private func day(after seconds: Double) -> CalendarDate {
        let nanoseconds =
            start.unixNanoseconds &+ Int64((max(0, min(seconds, 1e9)) * 1e9).rounded())
        return UTCTime(unixNanoseconds: nanoseconds)?.date ?? start.date
    }
}
