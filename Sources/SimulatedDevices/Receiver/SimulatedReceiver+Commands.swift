// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

extension SimulatedReceiver {
    /// An answer to a command.
    package struct Answer: Sendable {
        /// Whole messages.
        package var bytes: [UInt8]
        /// Seconds after the first epoch at which they are sent.
        package var due: Double
    }

    /// What came of the messages of assistance; `nil` for receivers without them.
    public var assistance: AssistanceCounts? { (control as? UBXControl)?.assistance.counts }

    /// Whether it understands commands.
    package var understandsCommands: Bool { control != nil }

    /// Returns the answers to commands and polls that a program has written, as of the last epoch,
    /// without their delays. Bytes that are no whole command are kept until the next call.
    ///
    /// Commands take effect with the next epoch. A receiver that a fault keeps from sending does
    /// not answer.
    public mutating func answers(to bytes: [UInt8]) -> [UInt8] {
        receive(bytes, at: lastSeconds).flatMap(\.bytes)
    }

    /// Interprets bytes that a program has written, `seconds` after the first epoch.
    package mutating func receive(_ bytes: [UInt8], at seconds: Double) -> [Answer] {
        guard !bytes.isEmpty, control != nil, !isMute(at: seconds), seconds >= silentUntil,
            !isLost(.fullBuffer, at: seconds)
        else { return [] }
        let moment = moment(at: seconds)
        let reactions = control?.receive(bytes, moment) ?? []
        var answers: [Answer] = []
        for reaction in reactions {
            switch reaction {
            case .answer(let bytes, let delay):
                guard !isLost(.lostAnswers, at: seconds) else { continue }
                answers.append(
                    Answer(bytes: bytes, due: seconds + delay + answerDelay(at: seconds)))
            case .restart(let restart): self.restart(restart, at: seconds)
            case .assistance(let acquisition): observer.acquire(acquisition)
            case .run(let isRunning): self.isRunning = isRunning
            }
        }
        applySettings(at: seconds)
        return answers
    }

    private func moment(at seconds: Double) -> ReceiverMoment {
        let elapsed = Int64((max(0, min(seconds, 1e9)) * 1e9).rounded())
        let time = UTCTime(unixNanoseconds: start.unixNanoseconds &+ elapsed) ?? start
        return ReceiverMoment(
            seconds: seconds, time: time, observation: lastObservation,
            poll: { [ubxWriter] id in ubxWriter?.answer(toPollOf: id) ?? [] })
    }

    // MARK: Effects

    /// Puts the settings into effect that commands have changed.
    private mutating func applySettings(at seconds: Double) {
        guard let new = control?.settings, new != settings else { return }
        let old = settings
        settings = new
        writer.personality = new.applied(to: personality)
        if new.constellations != old?.constellations || new.signals != old?.signals {
            observer.receive(new.signals)
        }
        if new.minimumElevation != old?.minimumElevation {
            observer.minimumElevation = new.minimumElevation
        }
        if let old, new.period != old.period {
            schedule.change(period: new.period, at: seconds)
        }
    }

    private mutating func restart(_ restart: ReceiverRestart, at seconds: Double) {
        let configured = observerConfiguration.acquisition
        switch (restart.knowledge, restart.includesPort) {
        // A restart for other constellations loses the satellites for a second.
        case (.hot, false): observer.restart(.hot, at: seconds)
        default:
            observer.restart(
                Assistance.acquisition(after: restart.knowledge, configured), at: seconds)
        }
        announcesStart = restart.isAnnounced
        guard restart.includesPort else {
            if restart.hasExtraEpoch { schedule.add(at: seconds + Self.restartDelay) }
            return
        }
        silentUntil = seconds + Self.startUpTime
        // The receiver's own USB disappears, and comes back.
        if isUSB { line.add(Fault(.unplug(as: nil), at: seconds, for: Self.startUpTime)) }
    }

    /// Seconds from the change of constellations to the first epoch, which is off the grid.
    private static let restartDelay = 0.06
    /// Seconds from a reset to the first byte.
    private static let startUpTime = 0.5

    // MARK: Power

    /// Switches off and on, as faults and the configured switch say.
    mutating func updatePower(at seconds: Double) {
        guard control != nil else { return }
        var keepsBattery: Bool?
        for fault in faults.faults where fault.isActive(at: seconds) {
            switch fault.kind {
            case .powerOff(let keeps): keepsBattery = (keepsBattery ?? true) && keeps
            case .unplug: keepsBattery = keepsBattery ?? true
            default: break
            }
        }
        if case .off(let keeps)? = supply?.state { keepsBattery = (keepsBattery ?? true) && keeps }
        if let keepsBattery {
            outage = (outage ?? true) && keepsBattery
        } else if let battery = outage {
            outage = nil
            switchOn(keepsBattery: battery, at: seconds)
        }
    }

    private mutating func switchOn(keepsBattery: Bool, at seconds: Double) {
        control?.restart(keepsBattery: keepsBattery)
        isRunning = true
        applySettings(at: seconds)
        let knowledge: ReceiverRestart.Knowledge = keepsBattery ? .hot : .cold
        let configured = observerConfiguration.acquisition
        let acquisition = Assistance.acquisition(after: knowledge, configured)
        if acquisition != .instant { observer.restart(acquisition, at: seconds) }
    }

    // MARK: Faults of commands

    /// Whether a fault keeps the receiver from sending.
    private func isMute(at seconds: Double) -> Bool {
        if case .off? = supply?.state { return true }
        return faults.faults.contains { fault in
            switch fault.kind {
            case .silence, .stall, .burst, .unplug, .powerOff: fault.isActive(at: seconds)
            default: false
            }
        }
    }

    private mutating func isLost(_ kind: Fault.Kind, at seconds: Double) -> Bool {
        let losses = faults.faults.filter { $0.kind == kind && $0.isActive(at: seconds) }
        return losses.contains { commandRandom.happens($0.probability) }
    }

    private mutating func answerDelay(at seconds: Double) -> Double {
        var delay = 0.0
        for fault in faults.faults where fault.isActive(at: seconds) {
            if case .lateAnswers(let most) = fault.kind, most.isFinite {
                delay += max(0, most) * commandRandom.unit()
            }
        }
        return delay
    }
}
