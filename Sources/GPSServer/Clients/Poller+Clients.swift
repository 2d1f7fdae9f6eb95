// SPDX-License-Identifier: MIT
package import GPSIO

extension Poller {
    /// Waits for the clients of all servers in the process and answers them on a separate thread,
    /// so that requests do not wake the thread that reads receivers.
    package static let clients = Poller(name: "gps-clients")
}
