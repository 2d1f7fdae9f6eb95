// SPDX-License-Identifier: MIT
import GNSS

extension SimulatedReceiver {
    /// An answer to a command.
    package struct Answer: Sendable {
        /// The bytes of one or more complete messages.
        package var bytes: [UInt8]
        /// The time at which the bytes are sent, in seconds after the first epoch.
        package var due: Double
    }

    /// The numbers of assistance messages received so far; `nil` for receivers that are not from
    /// u-blox.
    package var assistance: AssistanceCounts? { (control as? UBXControl)?.assistance.counts }

    /// Whether the receiver understands commands.
    var understandsCommands: Bool { control != nil }

    /// Passes bytes from a program to the receiver at the time of the last epoch, and returns all
    /// answers at once, regardless of their delays. An incomplete command is kept until the next
    /// call.
    ///
    /// Commands affect the next epoch. While a fault prevents the receiver from sending, the bytes
    /// are lost.
    public mutating func answers(to bytes: [UInt8]) -> [UInt8] {
        receive(bytes, at: lastSeconds).flatMap(\.bytes)
    }

    /// Passes bytes from a program to the receiver, `seconds` after the first epoch. Returns the
    /// answers with the times at which to send them.
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

    private func moment(at seconds: Double) -> ReceiverSnapshot {
        ReceiverSnapshot(
            time: time(after: seconds), observation: lastObservation,
            poll: { [ubxWriter] id in ubxWriter?.answer(toPollOf: id) ?? [] })
    }

    // MARK: Effects

    /// Applies the settings that commands have changed.
    private mutating func applySettings(at seconds: Double) {
        guard let new = control?.settings, new != settings else { return }
        let old = settings
        settings = new
        writer.personality = new.applied(to: configuration.personality)
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
        // A hot restart of the GNSS engine, as after a change of constellations, loses the fix for
        // a second.
        let isEngineOnly = restart.startKind == .hot && !restart.includesPort
        observer.restart(
            isEngineOnly ? .hot : acquisition(after: restart.startKind), at: seconds)
        announcesStart = restart.isAnnounced
        guard restart.includesPort else {
            if restart.hasExtraEpoch { schedule.add(at: seconds + Self.restartDelay) }
            return
        }
        silentUntil = seconds + Self.startUpTime
        // The built-in USB port disappears and returns.
        if configuration.isUSB {
            line.add(Fault(.unplug(as: nil), at: seconds, for: Self.startUpTime))
        }
    }

    /// The time from a change of constellations to the additional epoch, in seconds.
    private static let restartDelay = 0.06
    /// The time from a reset to the first byte, in seconds.
    private static let startUpTime = 0.5

    // MARK: Power

    /// Updates the power state from the active faults and the configured switch. If the power
    /// returns, restarts the receiver.
    mutating func updatePower(at seconds: Double) {
        var keepsBattery: Bool?
        for fault in faults.faults where fault.isActive(at: seconds) {
            switch fault.kind {
            case .powerOff(let keeps): keepsBattery = (keepsBattery ?? true) && keeps
            case .unplug: keepsBattery = keepsBattery ?? true
            default: break
            }
        }
        if case .off(let keeps)? = configuration.supply?.state {
            keepsBattery = (keepsBattery ?? true) && keeps
        }
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
        let acquisition = acquisition(after: keepsBattery ? .hot : .cold)
        if acquisition != .instant { observer.restart(acquisition, at: seconds) }
    }

    private func acquisition(after startKind: ReceiverRestart.StartKind) -> Acquisition {
        Assistance.acquisition(after: startKind, configuration.acquisition)
    }

    // MARK: Faults of commands

    /// Returns whether a fault or the power switch keeps commands from the receiver.
    private func isMute(at seconds: Double) -> Bool {
        if case .off? = configuration.supply?.state { return true }
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
