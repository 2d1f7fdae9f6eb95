// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// The folder in which the programs of this package keep their state, such as detected baud rates.
package enum StateFolder {
    /// The path: `STATE_DIRECTORY` for a service, otherwise `gpsbridge` in `XDG_STATE_HOME` or
    /// `~/.local/state`. `nil` if none of these environment variables is an absolute path. With
    /// `ofRoot`, that path takes the place of root's home.
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

    /// Creates a folder and those that contain it. If that fails, so does creating a file there.
    package static func create(_ path: String) {
        var made = ""
        for name in path.split(separator: "/") {
            made += "/" + name
            mkdir(FileName.native(made), 0o700)
        }
    }
}
