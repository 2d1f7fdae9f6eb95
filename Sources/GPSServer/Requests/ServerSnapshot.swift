// SPDX-License-Identifier: MIT
package import GNSS
import Synchronization

/// The server's state, as replies to requests report it.
package struct ServerSnapshot: Sendable {
    /// Replies to `?POLL;` by the device that is watched.
    private final class Polls: Sendable {
        let replies = Mutex<[String?: [UInt8]]>([:])
    }

    /// Every device that has ever been opened.
    package let devices: [ServedDevice]
    /// The system's clock.
    package var time: UTCTime?
    private let polls = Polls()

    /// Creates a snapshot.
    package init(devices: [ServedDevice], time: UTCTime?) {
        self.devices = devices
        self.time = time
    }

    /// The members of `POLL` after its time, of one device or of all; made once and reused for later replies.
    func poll(of path: String?) -> [UInt8] {
        polls.replies.withLock { replies in
            if let reply = replies[path] { return reply }
            let reply = ControlReports.poll(
                of: devices.filter { path == nil || path == $0.path })
            // A client may watch a device that is not served under that name any more.
            if replies.count <= devices.count { replies[path] = reply }
            return reply
        }
    }
}
