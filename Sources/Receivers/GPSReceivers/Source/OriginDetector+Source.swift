// SPDX-License-Identifier: MIT
package import GNSS

extension OriginDetector {
    /// Creates a detector whose initial origin is that of the source.
    package init(_ source: any DeviceSource) {
        self.init(origin: source.origin, mayBeOld: source.capabilities.contains(.pausing))
    }
}
