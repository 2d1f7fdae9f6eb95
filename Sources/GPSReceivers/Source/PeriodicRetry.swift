// SPDX-License-Identifier: MIT
import GNSS
import GPSIO

/// Ends each wait after a fixed interval. It is used for sources whose availability cannot be
/// watched: a host, or a path when the user's limit of inotify watches has been reached.
struct PeriodicRetry: DeviceAvailability {
    let poller: Poller
    var interval = Duration.seconds(30)

    func next(until deadline: MonotonicInstant?) async {
        let latest = poller.now + interval
        _ = await poller.sleep(until: min(deadline ?? latest, latest))
    }
}
