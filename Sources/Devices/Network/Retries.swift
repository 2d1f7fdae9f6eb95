// SPDX-License-Identifier: MIT

/// Nothing tells when a host can be reached again: whoever waits tries at intervals of its own.
struct Retries: DeviceAvailability {
    private static let longest = Duration.seconds(30)

    func next(until deadline: ContinuousClock.Instant?) async {
        let latest = ContinuousClock.now + Self.longest
        _ = await Poller.shared.sleep(until: min(deadline ?? latest, latest))
    }
}
