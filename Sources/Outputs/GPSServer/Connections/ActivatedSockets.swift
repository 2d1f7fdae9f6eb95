// SPDX-License-Identifier: MIT
package import GPSIO
import Glibc

/// The sockets that systemd opened for this process.
///
/// The corresponding C function is `sd_listen_fds_with_names`.
package struct ActivatedSockets: Sendable {
    /// The number of the first descriptor that systemd passes.
    private static let first: CInt = 3

    /// The descriptors, keyed by the name of their socket unit or by its `FileDescriptorName=`.
    package let descriptors: [String: [CInt]]

    /// `true` if systemd passed no sockets to this process.
    package var isEmpty: Bool { descriptors.isEmpty }

    /// The sockets of this process; empty if it was not started by socket activation.
    package static var own: ActivatedSockets {
        ActivatedSockets(process: getpid()) { name in getenv(name).map { String(cString: $0) } }
    }

    /// Parses the environment variables that systemd sets. They apply only if `LISTEN_PID` equals
    /// `process`. `variable` returns the value of a variable.
    package init(process: Int32, _ variable: (String) -> String?) {
        guard variable("LISTEN_PID") == "\(process)",
            let count = variable("LISTEN_FDS").flatMap({ Int32($0) }), 1...256 ~= count
        else {
            descriptors = [:]
            return
        }
        let names = variable("LISTEN_FDNAMES")?.split(
            separator: ":", omittingEmptySubsequences: false)
        var descriptors: [String: [CInt]] = [:]
        for index in 0..<Int(count) {
            let name = names.flatMap { index < $0.count ? String($0[index]) : nil } ?? "unknown"
            descriptors[name, default: []].append(Self.first + CInt(index))
        }
        self.descriptors = descriptors
    }

    /// Returns the listening sockets that systemd named `name`. If `isDefault` is `true`, returns
    /// all sockets except those named `nmea` or `http`.
    package func sockets(named name: String, isDefault: Bool = false) -> [ListeningSocket] {
        let others: Set<String> = ["nmea", "http"]
        return descriptors.sorted { $0.key < $1.key }
            .filter { isDefault ? !others.contains($0.key) : $0.key == name }
            .flatMap { $0.value.map { ListeningSocket(inherited: $0, poller: .clients) } }
    }
}
