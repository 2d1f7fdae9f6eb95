// SPDX-License-Identifier: MIT
package import GPSIO

extension Poller {
    /// The poller for the clients of all servers in the process. It has its own thread, so that
    /// requests do not wake the thread that reads receivers.
    package static let clients = Poller(name: "gps-clients")
}
