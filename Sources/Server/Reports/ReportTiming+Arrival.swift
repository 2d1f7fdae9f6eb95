// SPDX-License-Identifier: MIT
import GNSS
package import GPSBridge
package import Outputs

extension ReportTiming {
    /// The timing of an epoch that is reported now; `nil` where the system's clock is far off.
    package init?(_ arrival: EpochArrival) {
        guard let now = UTCTime.systemTime else { return nil }
        let reported = Double(now.unixNanoseconds) / 1e9
        let age = arrival.firstByte.duration(to: .now) / .seconds(1)
        self.init(firstByte: reported - age, reported: reported)
    }
}
