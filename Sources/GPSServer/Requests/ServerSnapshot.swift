// SPDX-License-Identifier: MIT
package import GNSS
import Synchronization

/// The server's state for replies to requests.
package struct ServerSnapshot: Sendable {
    /// The replies to `?POLL;` by the watched device.
    private final class Polls: Sendable {
        let replies = Mutex<[String?: [UInt8]]>([:])
    }

    /// Every device that has ever been open.
    package let devices: [ServedDevice]
    /// The time of the request by the system's clock.
    package var time: UTCTime?
    private let polls = Polls()

    /// Creates a snapshot.
    package init(devices: [ServedDevice], time: UTCTime?) {
        self.devices = devices
        self.time = time
    }

    /// Returns the members of `POLL` after its time, for one device or all. They are encoded once
    /// and reused.
    func poll(of path: String?) -> [UInt8] {
        polls.replies.withLock { replies in
            if let reply = replies[path] { return reply }
            let reply = ControlReports.poll(
                of: devices.filter { path == nil || path == $0.path })
            // A client may watch a device that is no longer served under that name.
            if replies.count <= devices.count { replies[path] = reply }
            return reply
        }
    }
}
