// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import Glibc

extension Node {
    /// Opens a node for reading. It must be of the kind `wanted`. A pipe is opened without waiting
    /// for a writer. The work runs in the background, because a disk may be slow.
    func openForReading(
        as wanted: Kind, poller: Poller = .shared
    ) async throws(DeviceError) -> Descriptor {
        try await BackgroundExecutor.run { () throws(DeviceError) in
            try openNow(as: wanted, poller)
        }
    }

    private func openNow(as wanted: Kind, _ poller: Poller) throws(DeviceError) -> Descriptor {
        let found = try DeviceError.converted(kind)
        guard found == wanted else {
            throw DeviceError(found == .folder ? .isDirectory : .notADevice, device: path)
        }
        let fd = open(FileName.native(path), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard fd >= 0 else { throw DeviceError.opening(path, errno: errno) }
        return Descriptor(fd, poller: poller)
    }
}
