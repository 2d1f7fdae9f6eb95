// SPDX-License-Identifier: MIT
import GNSS
import UBX

extension FixAssembler {
    /// Adds the contribution of a message that belongs to an epoch.
    mutating func receive(_ message: some TimedMessage) {
        receive(type(of: message).id, at: message.timeOfWeekMilliseconds, message.time) {
            message.contribute(to: &$0)
        }
    }

    /// Adds the contribution of a message with this id, made by `contribute`.
    mutating func receive(
        _ id: UBXMessageID, at timeOfWeek: UInt32, _ report: WeekClock.Report = .unreported,
        _ contribute: (inout Epoch) -> Void
    ) {
        let known = weekClock.time(of: timeOfWeek, report)
        receive(from: Address(id), timing: .opens(known?.time)) { epoch in
            contribute(&epoch)
            if case .unreported = report { return }
            epoch.fill(date: known?.date, isTrusted: !epoch.evidence.isVoid)
        }
    }

    /// Shows the satellites that have been listed, unless their signals are expected.
    mutating func endSatellites(of id: UBXMessageID) {
        use(id)
        guard sky.endSatellites() else { return }
        satellites.replaceAll(with: sky.satellites, from: Address(id))
    }

    /// Shows the satellites with the signals that have been listed.
    mutating func endSignals(of id: UBXMessageID) {
        use(id)
        sky.endSignals()
        satellites.replaceAll(with: sky.signals, from: Address(NavSAT.id))
    }

    /// Adds the used satellites and the source of corrections of the list that has ended.
    private mutating func use(_ id: UBXMessageID) {
        let (used, source) = (sky.used, sky.correctionSource)
        receive(id, at: sky.timeOfWeek) { epoch in
            epoch.use(used)
            epoch.refine(\.correctionSource, source)
        }
    }

    /// Ends the epoch: the receiver has sent everything about it, its sentences included.
    mutating func endEpoch(at timeOfWeek: UInt32) {
        let time = weekClock.time(of: timeOfWeek, .unreported)?.time
        endCycle(at: time, Address(NavEOE.id))
    }

    /// Ends the epoch at `time` as the message with this address reports; an unknown time is that of the
    /// current epoch.
    mutating func endCycle(at time: TimeOfDay?, _ address: Address) {
        guard opener != nil, !isClosed,
            time == nil || epoch.fix.timeOfDay == nil || isSameInstant(time)
        else { return }
        currentSentence = occurrences.index(of: address)
        let place = CyclePlace(
            sentence: address, occurrence: occurrences.count(currentSentence))
        if lastContribution != nil { lastContribution = place }
        endCame = true
        releaseSky()
        silence()
    }

    /// Ends the wait for the signals of listed satellites.
    private mutating func releaseSky() {
        guard sky.isHeld else { return }
        sky.release()
        satellites.replaceAll(with: sky.satellites, from: Address(NavSAT.id))
    }
}
