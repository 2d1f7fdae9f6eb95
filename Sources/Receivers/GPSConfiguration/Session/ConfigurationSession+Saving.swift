// SPDX-License-Identifier: MIT
import GNSS

extension ConfigurationSession {
    mutating func startSaving() {
        guard request.saves, let dialect else {
            phase = .restarting
            return
        }
        do {
            savings = try dialect.savings(of: request)
        } catch {
            return fail(error)
        }
        phase = .saving(way: 0, next: 0)
    }

    mutating func save(_ way: Int, _ index: Int, at now: MonotonicInstant) {
        guard savings.indices.contains(way) else {
            return fail(
                .refused, "refused to save the settings", remedy: savings.last?.remedy)
        }
        let saving = savings[way]
        guard saving.requests.indices.contains(index) else {
            report.saved = saving.saved
            phase = .restarting
            return
        }
        // Writing to flash takes time.
        let exchange = Exchange(
            saving.requests[index], attempts: 3, timeout: .seconds(3), settling: .milliseconds(100))
        send(exchange, at: now)
    }

    mutating func didSave(_ way: Int, _ index: Int, _ outcome: Exchange.Outcome) {
        switch outcome {
        case .accepted: phase = .saving(way: way, next: index + 1)
        case .refused: phase = .saving(way: way + 1, next: 0)
        // The next element of `savings` may use another memory, so it is tried only after a
        // refusal.
        case .silent:
            fail(
                .noAnswer, "did not confirm that it saved the settings",
                remedy: savings[way].remedy)
        }
    }

    /// Restarts the receiver if requested; otherwise finishes.
    mutating func restart(at now: MonotonicInstant) {
        guard let restart = request.restart, let dialect else {
            return finish(.done(report))
        }
        do {
            outputs.append(.restartExpected)
            send(try dialect.restart(restart), at: now)
        } catch {
            fail(error)
        }
    }

    /// Finishes after a restart. u-blox chips restart only their navigation, and keep all settings.
    /// Others may have only their saved settings then.
    mutating func didRestart() {
        let hasChanged = !plan.isEmpty || !request.messages.isEmpty
        switch identity?.family {
        case .ublox, .ubloxLegacy: break
        default:
            if hasChanged, report.saved == nil {
                let canSave = (try? dialect?.savings(of: request)) != nil
                report.warnings.append(
                    "the changes were not saved with --save, so the receiver may have discarded them "
                        + "at the restart" + (canSave ? ": use --save" : ""))
            }
        }
        finish(.done(report))
    }

    /// Sends the request with this index to restore the factory settings.
    mutating func reset(_ index: Int, at now: MonotonicInstant) {
        guard resets.indices.contains(index) else {
            return startChecking(.reset, at: now)
        }
        if index == 0 { outputs.append(.restartExpected) }
        send(resets[index], at: now)
    }

    /// Handles the outcome of a request to restore the factory settings. The acknowledgement of the
    /// last one may be lost, because the baud rate changes, too.
    mutating func didSendReset(_ index: Int, _ outcome: Exchange.Outcome) {
        let isLast = index + 1 == resets.count
        guard outcome == .refused || outcome == .silent && !isLast else {
            hasConfirmedReset = outcome != .silent
            phase = .resetting(next: index + 1)
            return
        }
        if index == 0 {
            // Nothing was changed that the journal could undo.
            outputs.append(.journal(nil))
            journal = nil
        }
        let isRefused = outcome == .refused
        if !isRefused { hasLastingChanges = true }
        fail(
            isRefused ? .refused : .noAnswer,
            (isRefused ? "refused" : "did not answer the request")
                + " to restore the factory settings")
    }

    /// Continues after the factory settings were restored: reads the new state, then applies the
    /// requested settings.
    mutating func didReset(at now: MonotonicInstant) {
        (hasReset, hasLastingChanges) = (true, true)
        let hasSameRate = journal?.baudRates.first == line.baudRate
        outputs.append(.journal(nil))
        journal = nil
        // The changes, and the warnings about them, are planned again.
        report.warnings = []
        // At another baud rate, the acknowledgement may have been lost.
        if !hasConfirmedReset, hasSameRate {
            report.warnings.append(
                "the receiver did not confirm that it restored the factory settings: check them")
        }
        monitor = StreamMonitor()
        startObserving(at: now)
    }
}
