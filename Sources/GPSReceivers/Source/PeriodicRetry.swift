// SPDX-License-Identifier: MIT
import GNSS
import GPSIO

/// Tries at intervals, where nothing reports that another attempt may succeed: a host cannot be watched, and a user may
/// have no inotify watch left.
struct PeriodicRetry: DeviceAvailability {
    let poller: Poller
    var interval = Duration.seconds(30)

    func next(until deadline: MonotonicInstant?) async {
        let latest = poller.now + interval
        _ = await poller.sleep(until: min(deadline ?? latest, latest))
    }
}
