// SPDX-License-Identifier: MIT
package import GPSIO

extension Poller {
    /// Waits for the clients of all servers of the process and answers them, on a thread of its own: whatever they ask,
    /// the thread that reads receivers sleeps until these send something.
    package static let clients = Poller(name: "gps-clients")
}
