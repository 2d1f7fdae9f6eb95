// SPDX-License-Identifier: MIT
import GPSFormats

extension GPSDReports {
    /// The reports written since the last `removeAll`, one object in each element, without line
    /// ends.
    var objects: [String] {
        bytes.withUnsafeBufferPointer {
            $0.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The same reports as lines that end with CR LF, as in gpsd's protocol.
    var lines: [[UInt8]] {
        bytes.withUnsafeBufferPointer { $0.split(separator: 0x0A).map { $0 + [0x0D, 0x0A] } }
    }
}
