// SPDX-License-Identifier: MIT
import Devices

/// The system's clock, started now, at its own or another speed.
struct AcceleratedClock: SimulationClock {
    private let start = ContinuousClock.now
    private let factor: Double

    init(by factor: Double) {
        self.factor = factor
    }

    var elapsed: Double { (ContinuousClock.now - start) / .seconds(1) * factor }

    func wait(until seconds: Double) async -> Bool {
        // Centuries are as good as for ever, and so is what is no number.
        let wait = seconds < 1e10 * factor ? max(0, seconds / factor) : 1e10
        let due = start + .seconds(wait)
        return await Poller.shared.sleep(until: due) == .timedOut
    }
}
