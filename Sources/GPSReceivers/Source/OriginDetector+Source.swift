// SPDX-License-Identifier: MIT
package import GNSS

extension OriginDetector {
    /// Begins with what the source itself knows.
    package init(_ source: any DeviceSource) {
        self.init(origin: source.origin, canPause: source.capabilities.contains(.pausing))
    }
}
