// SPDX-License-Identifier: MIT
import GNSS

extension ConfigurationSession {
    /// Restores the previous settings, then finishes with this error.
    mutating func fail(_ error: ConfigurationError) {
        guard failure == nil else { return finish(.failed(failure ?? error, .pending)) }
        pending = nil
        if let state = stateWithoutRollback { return finish(.failed(error, state)) }
        failure = error
        outputs.append(.progress(.restoring(error)))
        search()
    }

    /// Which settings the receiver has, if there is nothing to undo; otherwise `nil`.
    private var stateWithoutRollback: ConfigurationRollback? {
        guard journal?.undo.isEmpty ?? true else { return nil }
        guard hasLastingChanges else { return .unchanged }
        return isVerified ? .kept : .partlyRestored
    }

    /// Finishes without another request, because another receiver has been connected to the line.
    /// The journal stays stored, so that the original receiver is restored when it returns.
    mutating func endBecauseReplaced() {
        guard phase != .finished else { return }
        outputs = outputs.filter { if case .journal = $0 { true } else { false } }
        let error = ConfigurationError(
            .anotherReceiver, chip: identity?.description,
            "another receiver was connected instead, and was not changed",
            remedy: "plug this one in again")
        finish(.failed(error, stateWithoutRollback ?? .pending))
    }

    /// Restores the previous settings, then finishes with an error that names the receiver.
    mutating func fail(_ code: ConfigurationError.Code, _ reason: String, remedy: String? = nil) {
        fail(ConfigurationError(code, chip: identity?.description, reason, remedy: remedy))
    }

    /// Searches for the receiver at the current baud rate of the line, then at those in the
    /// journal, then at all common ones.
    mutating func search() {
        searchRates = Self.rates(line.baudRate, journal?.baudRates ?? [])
        probeCount = 0
        phase = .searching(next: 0)
    }

    /// Returns the baud rates to try, in order; empty for a line without a baud rate.
    private static func rates(_ current: Int?, _ likely: [Int]) -> [Int] {
        guard let current else { return [] }
        let usual = [9600, 38400, 115_200, 57600, 19200, 230_400, 460_800, 921_600, 4800]
        var rates: [Int] = []
        for rate in [current] + likely + usual where !rates.contains(rate) { rates.append(rate) }
        return rates
    }

    /// Searches for the receiver at the baud rate with this index in `searchRates`. Sends the
    /// version request up to twice, or up to six times if valid messages arrive. More requests at a
    /// wrong rate would make a u-blox chip disable its input.
    mutating func search(_ index: Int, at now: MonotonicInstant) {
        guard var probe = dialect?.probe, index < max(searchRates.count, 1) else {
            return didNotFind()
        }
        if searchRates.indices.contains(index), searchRates[index] != line.baudRate {
            setLine(to: searchRates[index])
            return wait(.milliseconds(150), from: now)
        }
        probe.attempts = 2
        (messagesBeforeProbe, probeCount) = (monitor.count, probeCount + 1)
        send(probe, at: now)
    }

    mutating func didSearch(
        _ index: Int, _ outcome: Exchange.Outcome, at now: MonotonicInstant
    ) {
        guard case .accepted = outcome else {
            // Valid messages show that the baud rate is right. The answer may still wait behind
            // others in the chip's buffer, which takes seconds to send.
            if monitor.count > messagesBeforeProbe, probeCount < 3 { return }
            probeCount = 0
            phase = .searching(next: index + 1)
            return
        }
        if failure != nil {
            phase = .undoing(next: 0)
        } else if isVerified {
            // A restart follows the verified changes. A factory reset precedes the changes.
            didRestart()
        } else {
            didReset(at: now)
        }
    }

    private mutating func didNotFind() {
        let state = stateWithoutRollback ?? .pending
        let lost = ConfigurationError(
            .silenced, chip: identity?.description,
            "does not answer at any baud rate after the restart",
            remedy: state == .pending ? nil : "unplug it, and plug it in again")
        finish(.failed(state == .pending ? pendingError(failure ?? lost) : failure ?? lost, state))
    }

    /// Returns `error` for a receiver that no longer answers. Adds a remedy if `error` has none.
    private func pendingError(_ error: ConfigurationError) -> ConfigurationError {
        let remedy =
            "unplug it, plug it in again, and start gpsbridge, which then restores the previous settings"
        return ConfigurationError(
            error.code, chip: error.chip, error.reason, remedy: error.remedy ?? remedy)
    }

    /// Sends the journal's request with this index. A refusal is ignored: the receiver may never
    /// have executed the step.
    mutating func undo(_ index: Int, at now: MonotonicInstant) {
        guard let steps = journal?.undo, steps.indices.contains(index) else {
            phase = .checkingUndo
            return
        }
        let step = steps[index]
        guard let baudRate = step.baudRate else {
            return send(Exchange(step.bytes, attempts: 3), at: now)
        }
        // The chip may already have its old baud rate.
        guard line.baudRate != nil, baudRate != line.baudRate else {
            phase = .undoing(next: index + 1)
            return
        }
        startSwitching(to: baudRate, by: step.bytes, .undoing(index), at: now)
    }

    mutating func checkUndo(at now: MonotonicInstant) {
        guard let probe = dialect?.probe else { return }
        send(probe, at: now)
    }

    mutating func didCheckUndo(_ outcome: Exchange.Outcome) {
        guard case .accepted = outcome else {
            let lost = ConfigurationError(
                .noAnswer, chip: identity?.description,
                "does not answer after its previous settings were restored")
            return finish(.failed(pendingError(failure ?? lost), .pending))
        }
        outputs.append(.journal(nil))
        if let failure {
            finish(.failed(failure, hasLastingChanges ? .partlyRestored : .restored))
        } else {
            finish(.done(report))
        }
    }

    // These functions restore the journal of another session.

    /// Starts to undo the changes of an interrupted session.
    mutating func restore(_ journal: ConfigurationJournal, _ identity: ReceiverIdentity) {
        guard journal.receiver == identity.description else {
            return finish(
                .failed(
                    ConfigurationError(
                        .anotherReceiver, chip: identity.description,
                        "the interrupted change belongs to \(journal.receiver)",
                        remedy: "plug that receiver in, or delete the journal"), .pending))
        }
        self.journal = journal
        phase = .undoing(next: 0)
    }

    /// Tries the next baud rate that the receiver may have.
    mutating func searchFor(_ journal: ConfigurationJournal, at now: MonotonicInstant) {
        if searchRates.isEmpty { searchRates = Self.rates(line.baudRate, journal.baudRates) }
        guard searchRates.count > 1 else {
            return finish(
                .failed(
                    ConfigurationError(
                        .noAnswer, chip: journal.receiver,
                        "does not answer, so its settings could not be restored",
                        remedy: "unplug it, plug it in again, and start gpsbridge again"), .pending)
            )
        }
        searchRates.removeFirst()
        setLine(to: searchRates[0])
        monitor = StreamMonitor()
        phase = .identifying(round: 0)
        wait(.milliseconds(150), from: now)
    }
}
