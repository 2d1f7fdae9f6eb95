// SPDX-License-Identifier: MIT
package import GNSS
package import GPSIO

/// Ends each wait after a fixed interval. It is used for sources whose availability cannot be
/// watched: a host, or a path when the user's limit of inotify watches has been reached.
package struct PeriodicRetry: DeviceAvailability {
    let poller: Poller
    var interval = Duration.seconds(30)

    /// Returns a retry that ends each wait after two seconds. Use it after a wait for events that
    /// may have failed, for example because the process has no free descriptor. Otherwise, the
    /// source would be opened again and again without a pause.
    ///
    /// If the deadline has passed or the task has been cancelled, the wait ends immediately.
    package static func withoutEvents(_ poller: Poller) -> PeriodicRetry {
        PeriodicRetry(poller: poller, interval: .seconds(2))
    }

    package func next(until deadline: MonotonicInstant?) async {
        let latest = poller.now + interval
        _ = await poller.sleep(until: min(deadline ?? latest, latest))
    }
}
