// SPDX-License-Identifier: MIT

/// Nothing reports that a host can be reached again, so it is tried at intervals.
struct PeriodicRetry: DeviceAvailability {
    private static let longest = Duration.seconds(30)

    func next(until deadline: ContinuousClock.Instant?) async {
        let latest = ContinuousClock.now + Self.longest
        _ = await Poller.shared.sleep(until: min(deadline ?? latest, latest))
    }
}
