// SPDX-License-Identifier: MIT
import GNSS
import GPSIO

/// Ends each wait after a fixed interval. It is used for sources whose availability cannot be
/// watched: a host, or a path when the user's limit of inotify watches has been reached.
struct PeriodicRetry: DeviceAvailability {
    let poller: Poller
    var interval = Duration.seconds(30)

    /// Ends each wait after two seconds. It follows a wait for events that may have failed, for
    /// example because the process has no free descriptor, so that the source is not opened again
    /// and again without a pause. If that wait ended at the deadline or by cancellation, this one
    /// ends at once.
    static func withoutEvents(_ poller: Poller) -> PeriodicRetry {
        PeriodicRetry(poller: poller, interval: .seconds(2))
    }

    func next(until deadline: MonotonicInstant?) async {
        let latest = poller.now + interval
        _ = await poller.sleep(until: min(deadline ?? latest, latest))
    }
}
