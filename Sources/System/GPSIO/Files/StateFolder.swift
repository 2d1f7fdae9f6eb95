// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// The folder in which the programs of this package keep their state, such as detected baud rates.
package enum StateFolder {
    /// The path of the folder: `STATE_DIRECTORY` if systemd has set it, otherwise `gpsbridge` in
    /// `XDG_STATE_HOME`, otherwise `~/.local/state/gpsbridge`. `nil` if none of these environment
    /// variables, including `HOME`, is an absolute path.
    ///
    /// If `ofRoot` is not `nil`, root uses it instead of the folder in its home.
    package static func path(
        ofRoot: String? = nil, isRoot: Bool = geteuid() == 0,
        environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) -> String? {
        func variable(_ name: String) -> String? {
            environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        // systemd may list several folders, separated by colons.
        if let own = variable("STATE_DIRECTORY")?.split(separator: ":").first { return String(own) }
        if let state = variable("XDG_STATE_HOME") { return state + "/gpsbridge" }
        if isRoot, let ofRoot { return ofRoot }
        return variable("HOME").map { $0 + "/.local/state/gpsbridge" }
    }

    /// Creates a folder and its missing parent folders. Ignores errors, because creating a file in
    /// the folder then fails too.
    package static func create(_ path: String) {
        var made = ""
        for name in path.split(separator: "/") {
            made += "/" + name
            mkdir(FileName.native(made), 0o700)
        }
    }
}
