// SPDX-License-Identifier: MIT
import GPSReceivers

/// Examines why desktop programs, which ask geoclue, get no position.
package struct DesktopFindings {
    private static let restart = "sudo systemctl restart geoclue"

    private let desktop: DesktopEvidence
    /// Whether gpsd serves the receivers instead of gpsbridge.
    private let isYielding: Bool
    private var configuration: GeoclueConfiguration { desktop.configuration }

    package init(_ desktop: DesktopEvidence, isYieldingToGPSD: Bool = false) {
        self.desktop = desktop
        isYielding = isYieldingToGPSD
    }

    /// The findings, from geoclue to the socket.
    package var findings: [Finding] {
        guard desktop.isInstalled else {
            let text = "geoclue, which gives desktop programs the position, is not installed."
            return [.error(.noGeoclue, text, remedy: "sudo apt install geoclue-2.0")]
        }
        let name = ["geoclue", desktop.version].compactMap(\.self).joined(separator: " ")
        guard desktop.readsSockets else {
            let text = "\(name) cannot read a receiver from a socket."
            return [.error(.noGeoclue, text, remedy: "install geoclue 2.6 or later")]
        }
        let installed = Finding.ok("\(name) is installed.")
        return [installed, agent] + permissions + [source, socket].compactMap(\.self)
    }

    private var agent: Finding {
        guard let agent = desktop.agents.first else {
            let start =
                desktop.agentProgram ?? "the package geoclue-2-demo or your desktop has one"
            return .error(
                .noAgent,
                "No agent of this user is running. It permits programs to use the position; without it, "
                    + "they wait.",
                remedy: "let the session start geoclue's agent, if the desktop has none: \(start)")
        }
        guard let accepted = configuration.acceptedAgents,
            !desktop.agents.contains(where: { accepted.contains($0) })
        else {
            return .ok("The agent \(agent) is running, which permits programs to use the position.")
        }
        return .error(
            .noAgent, "geoclue does not accept the agent \(agent).",
            remedy: "add ;\(agent) to \(place("agent", "whitelist")), then \(Self.restart)")
    }

    /// The findings about GNOME's settings.
    private var permissions: [Finding] {
        if desktop.settings["enabled"] == "false" {
            return [
                .error(
                    .locationOff, "GNOME's location services are off.",
                    remedy: "gsettings set org.gnome.system.location enabled true")
            ]
        }
        guard let level = desktop.settings["max-accuracy-level"], level != "'exact'" else {
            return []
        }
        return [
            .note(
                "GNOME gives programs the position with the accuracy \(level) only.",
                remedy: "gsettings set org.gnome.system.location max-accuracy-level exact")
        ]
    }

    /// Whether geoclue is configured to read sentences, and from which socket.
    private var source: Finding {
        let enable = configuration["network-nmea", "enable"]?.value
        guard enable == nil || enable == "true" || enable == "1" else {
            let place = place("network-nmea", "enable")
            return .error(
                .otherSocket, "geoclue reads no receivers: enable=false in \(place).",
                remedy: "write enable=true there, then \(Self.restart)")
        }
        let path = DesktopEvidence.socketPath
        guard let socket = desktop.configuredSocket else {
            return .error(
                .otherSocket, "geoclue's configuration names no socket of a receiver.",
                remedy: "\(addition) && \(Self.restart)")
        }
        let place = place("network-nmea", "nmea-socket")
        guard socket == path else {
            return .note(
                "geoclue reads \(socket), not the socket of gpsbridge's service, by \(place).",
                remedy: "if it should read the service: write nmea-socket=\(path) there, then "
                    + Self.restart)
        }
        return .ok("geoclue reads the socket of gpsbridge's service, by \(place).")
    }

    /// The command that configures the socket.
    private var addition: String {
        let line = "nmea-socket=\(DesktopEvidence.socketPath)"
        let file = GeoclueConfiguration.file
        if configuration.readsFolder {
            return "printf '[network-nmea]\\nenable=true\\n\(line)\\n' | "
                + "sudo tee \(GeoclueConfiguration.folder)/50-gpsbridge.conf"
        }
        return configuration.hasGroup
            ? "sudo sed -i '/^\\[network-nmea\\]/a \(line)' \(file)"
            : "printf '[network-nmea]\\nenable=true\\n\(line)\\n' | sudo tee -a \(file)"
    }

    /// Whether geoclue can connect to its socket; `nil` if it has none.
    private var socket: Finding? {
        guard let path = desktop.configuredSocket else { return nil }
        let isOwn = path == DesktopEvidence.socketPath
        let open =
            isYielding
            ? "sudo gpsbridge-switch gpsbridge"
            : "sudo systemctl enable gpsbridge.socket && sudo gpsbridge-switch apply; "
                + "systemctl status gpsbridge-geoclue.socket shows why it is missing"
        let server = isOwn ? open : "start the server that has this socket"
        func failed(_ text: String, _ remedy: String) -> Finding {
            .error(.noSocket, text, remedy: remedy)
        }
        switch desktop.access {
        case .open: return .ok("The user \(desktop.user) may connect to \(path).")
        case .missing:
            let reason = isOwn && isYielding ? ", because gpsd serves the receivers" : ""
            return failed("There is no socket \(path)\(reason).", server)
        case .refused: return failed("No program listens at \(path).", server)
        case .notSocket:
            return failed("\(path) is not a socket.", "sudo rm \(path), then \(server)")
        case .noUser:
            return failed(
                "geoclue's user, \(desktop.user), does not exist.",
                "sudo apt install --reinstall geoclue-2.0")
        case .denied(path: path):
            return failed(
                "The user \(desktop.user), as which geoclue runs, may not connect to \(path).",
                isOwn ? Self.restart : "sudo chown \(desktop.user) \(path)")
        case .denied(let folder):
            return failed(
                "The user \(desktop.user), as which geoclue runs, may not enter \(folder).",
                "sudo chmod o+x \(folder)")
        }
    }

    /// The file and line of a value.
    private func place(_ group: String, _ key: String) -> String {
        configuration[group, key].map { "\($0.file), line \($0.line)" }
            ?? GeoclueConfiguration.file
    }
}
