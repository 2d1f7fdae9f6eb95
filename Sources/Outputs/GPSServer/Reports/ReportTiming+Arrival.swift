// SPDX-License-Identifier: MIT
import GNSS
package import GPSFormats
import GPSIO
package import GPSReceivers

extension ReportTiming {
    /// Creates the timing of an epoch that is reported now. Returns `nil` if the system clock's
    /// time cannot be represented. With `forProfilers`, the timing includes the epoch's byte count.
    package init?(_ arrival: EpochArrival, forProfilers: Bool = false) {
        guard let now = SystemClock.nanoseconds else { return nil }
        let reported = Double(now) / 1e9
        let age = MonotonicInstant.now.seconds(since: arrival.firstByte)
        self.init(firstByte: reported - age, reported: reported)
        if forProfilers { byteCount = arrival.byteCount }
    }
}
