// SPDX-License-Identifier: MIT
import GPSFormats

extension GPSDReports {
    /// The reports written since the last `removeAll`, one object in each element, without line
    /// ends.
    var lines: [[UInt8]] {
        bytes.withUnsafeBufferPointer { $0.split(separator: 0x0A).map(Array.init) }
    }
}
