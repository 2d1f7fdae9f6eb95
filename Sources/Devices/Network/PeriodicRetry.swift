// SPDX-License-Identifier: MIT

/// Nothing reports that a host can be reached again, so it is tried at intervals.
struct PeriodicRetry: DeviceAvailability {
    let poller: Poller
    private static let longest = Duration.seconds(30)

    func next(until deadline: MonotonicInstant?) async {
        let latest = poller.now + Self.longest
        _ = await poller.sleep(until: min(deadline ?? latest, latest))
    }
}
