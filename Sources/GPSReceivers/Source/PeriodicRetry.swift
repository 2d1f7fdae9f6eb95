// SPDX-License-Identifier: MIT
import GNSS
import GPSIO

/// Reports at intervals, for sources whose availability cannot be watched: a host, or a path when
/// the user has no inotify watch left.
struct PeriodicRetry: DeviceAvailability {
    let poller: Poller
    var interval = Duration.seconds(30)

    func next(until deadline: MonotonicInstant?) async {
        let latest = poller.now + interval
        _ = await poller.sleep(until: min(deadline ?? latest, latest))
    }
}
