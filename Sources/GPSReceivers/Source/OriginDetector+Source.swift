// SPDX-License-Identifier: MIT
package import GNSS

extension OriginDetector {
    /// Creates a detector that starts with the source's own origin.
    package init(_ source: any DeviceSource) {
        self.init(origin: source.origin, canPause: source.capabilities.contains(.pausing))
    }
}
