// SPDX-License-Identifier: MIT
import UBX

/// The state of a u-blox chip at an epoch. Its properties are the UBX messages for that epoch.
struct UBXEpoch: Sendable {
    let chip: UBXChip
    let observation: SimulatedObservation
    /// The time since the first epoch in seconds. A restart of the receiver does not reset it.
    let seconds: Double
    /// The time of week in milliseconds (`iTOW`). Until the receiver knows the time, it is the time
    /// since the first epoch.
    let timeOfWeek: UInt32
    /// The last solution before this epoch, and its age in seconds; `nil` before the first fix.
    let lastSolution: (solution: Solution, age: Double)?
    /// The time from the first epoch to the first fix in seconds; `nil` before the first fix.
    let firstFix: Double?
    /// The jamming and spoofing that the chip reports.
    let disturbances: Disturbances
    /// The standard deviation of the velocity error in each direction, in metres per second.
    let velocityDeviation: Double

    var solution: Solution? { observation.solution }

    /// The solution of this epoch or, without a fix, the last one.
    var known: Solution? { solution ?? lastSolution?.solution }

    /// Returns the frame of a message; empty if no simulated chip can send it.
    func frame(_ id: UBXMessageID) -> [UInt8] {
        // In generation 7, the message ends after `flags3` and its reserved bytes (84 bytes).
        if id == NavPVT.id, !chip.hasLongPVT {
            return UBXFrame.bytes(id, payload: Array(pvt.payload.prefix(84)))
        }
        return Self.table.first { $0.id == id }?.frame(self) ?? []
    }

    /// The messages that simulated chips can send, in the usual order.
    static let messages = table.map(\.id)

    private typealias Entry = (id: UBXMessageID, frame: @Sendable (UBXEpoch) -> [UInt8])

    private static let table: [Entry] =
        [entry(\.posllh), entry(\.status), entry(\.dop), entry(\.sol), entry(\.pvt)]
        + [entry(\.velned), entry(\.timeUTC), entry(\.hpposllh), entry(\.sat), entry(\.sig)]
        + [entry(\.svinfo), entry(\.cov), entry(\.pl), entry(\.eoe), entry(\.hw), entry(\.rf)]
        + [entry(\.secSIG)]

    private static func entry<Message: UBXMessage>(
        _ message: any KeyPath<UBXEpoch, Message> & Sendable
    ) -> Entry {
        (Message.id, { $0[keyPath: message].frame })
    }

    private var eoe: NavEOE {
        var eoe = NavEOE()
        eoe.timeOfWeekMilliseconds = timeOfWeek
        return eoe
    }
}
