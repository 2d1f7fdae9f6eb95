// SPDX-License-Identifier: MIT
import GPSBridgeCLI
import GPSIO
import GPSTestSupport
import Glibc
import Testing

/// `doctor --desktop`, with the files of a machine in a folder.
@Suite(.timeLimit(.generous))
struct DesktopTests {
    private let folder: TemporaryFolder
    private let socket: ListeningSocket

    /// A machine on which everything is right.
    init() throws {
        folder = try TemporaryFolder()
        guard mkdir(folder.path("run"), 0o755) == 0 else { throw POSIXError(errno) }
        socket = try ListeningSocket(path: folder.path(Self.socketPath), poller: .shared)
        try write(
            Self.service,
            "[D-BUS Service]\nName=org.freedesktop.GeoClue2\nExec=/usr/libexec/geoclue\nUser=geoclue\n"
        )
        try write(
            "usr/libexec/geoclue",
            "ELF\0/etc/geoclue/geoclue.conf\0nmea-socket\0/etc/geoclue/conf.d/\0")
        try write("usr/libexec/geoclue-2.0/demos/agent", "ELF")
        try write(
            "usr/lib/x86_64-linux-gnu/pkgconfig/geoclue-2.0.pc", "Name: Geoclue\nVersion: 2.7.2\n")
        try write(Self.file, Self.defaults)
        try write(Self.dropIn, PackageFile.text("udev-rules/geoclue.conf"))
        try write("proc/71/cmdline", "/usr/libexec/geoclue-2.0/demos/agent\0")
        try write(
            "etc/passwd", "root:x:0:0::/root:/bin/sh\ngeoclue:x:\(getuid()):\(getgid())::/:\n")
    }

    @Test func `geoclue that reads the service's socket with an agent's permission is ok`() {
        #expect(findings.allSatisfy { $0.level == .ok }, "\(findings)")
        #expect(
            findings.map(\.text) == [
                "geoclue 2.7.2 is installed.",
                "The agent geoclue-demo-agent is running, which permits programs to use the position.",
                "geoclue reads the socket of gpsbridge's service, by /etc/geoclue/conf.d/50-gpsbridge.conf, line 5.",
                "The user geoclue may connect to /run/gpsbridge-geoclue.sock.",
            ])
    }

    @Test func `the installed socket is that of the installed configuration`() throws {
        let unit = try PackageFile.text("udev-rules/gpsbridge-geoclue.socket")
        #expect(unit.contains("\nListenStream=/\(Self.socketPath)\n"))
        #expect(
            try PackageFile.text("udev-rules/geoclue.conf")
                .contains("\nnmea-socket=/\(Self.socketPath)\n"))
    }

    @Test func `a machine without geoclue gets the command that installs it`() throws {
        try remove("usr/libexec/geoclue")
        let finding = try failure(.noGeoclue)
        #expect(finding.remedy == "sudo apt install geoclue-2.0")
        #expect(findings.count == 1)
    }

    @Test func `a geoclue from before 2.6 has no sockets`() throws {
        try write("usr/libexec/geoclue", "ELF\0/etc/geoclue/geoclue.conf\0")
        #expect(try failure(.noGeoclue).remedy?.contains("2.6") == true)
    }

    @Test func `without an agent, or with one of another user, programs wait`() throws {
        #expect(findings(user: getuid() + 1)[1].condition == .noAgent)
        try remove("proc/71/cmdline")
        let remedy = try failure(.noAgent).remedy
        #expect(remedy?.hasSuffix(": /usr/libexec/geoclue-2.0/demos/agent") == true)
    }

    @Test func `an agent that the configuration does not accept is named, with the line`() throws {
        try write("proc/71/cmdline", "/usr/libexec/phosh\0")
        #expect(
            try failure(.noAgent).remedy
                == "add ;sm.puri.Phosh to /etc/geoclue/geoclue.conf, line 3, then "
                + "sudo systemctl restart geoclue")
        try write(Self.file, Self.defaults.replacing("gnome-shell", with: "a; sm.puri.Phosh"))
        #expect(findings[1].level == .ok)
    }

    @Test func `GNOME's settings can forbid the position, or make it coarse`() {
        var evidence = DesktopEvidence(root: folder.path, user: getuid())
        evidence.settings = ["enabled": "true", "max-accuracy-level": "'exact'"]
        #expect(DesktopFindings(evidence).findings.count == 4)
        evidence.settings["max-accuracy-level"] = "'city'"
        let coarse = DesktopFindings(evidence).findings[2]
        #expect(coarse.level == .note && coarse.text.contains("'city'"))
        evidence.settings["enabled"] = "false"
        let finding = DesktopFindings(evidence).findings[2]
        #expect(finding.condition == .locationOff)
        #expect(finding.remedy == "gsettings set org.gnome.system.location enabled true")
    }

    @Test func `geoclue 2_6, which reads one file only, gets the command that edits it`() throws {
        try write("usr/libexec/geoclue", "ELF\0/etc/geoclue/geoclue.conf\0nmea-socket\0")
        let remedy = try #require(try failure(.otherSocket).remedy)
        try perform(remedy)
        #expect(findings.allSatisfy { $0.level == .ok }, "\(findings)")
        #expect(findings[2].text.hasSuffix("by /etc/geoclue/geoclue.conf, line 5."))
    }

    @Test func `geoclue 2_7 without the package's file gets the command that creates it`() throws {
        try remove(Self.dropIn)
        let remedy = try #require(try failure(.otherSocket).remedy)
        try perform(remedy)
        #expect(findings.allSatisfy { $0.level == .ok }, "\(findings)")
    }

    @Test func `a later file that switches receivers off is named, with the line`() throws {
        try write("etc/geoclue/conf.d/90-off.conf", "# Off.\n [network-nmea]\nenable = false\n")
        #expect(
            try failure(.otherSocket).text
                == "geoclue reads no receivers: enable=false in /etc/geoclue/conf.d/90-off.conf, line 3."
        )
        try write("etc/geoclue/conf.d/90-off.conf.old", "")
        #expect(
            rename(
                folder.path("etc/geoclue/conf.d/90-off.conf"),
                folder.path("etc/geoclue/conf.d/90-off.conf.old")) == 0)
        #expect(findings.allSatisfy { $0.level == .ok })
    }

    @Test func `the socket of another program is reported, and checked`() throws {
        try write("etc/geoclue/conf.d/90.conf", "[network-nmea]\nnmea-socket=/run/gps-share.sock\n")
        #expect(findings[2].level == .note)
        #expect(findings[2].text.contains("/run/gps-share.sock"))
        #expect(findings[3].condition == .noSocket)
    }

    @Test func `a missing socket is opened by the server that is selected`() throws {
        socket.close()
        #expect(try failure(.noSocket).remedy?.contains("gpsbridge-switch apply") == true)
        let evidence = DesktopEvidence(root: folder.path, user: nil)
        let finding = DesktopFindings(evidence, isYieldingToGPSD: true).findings[3]
        #expect(finding.text.hasSuffix("because gpsd serves the receivers."))
        #expect(finding.remedy == "sudo gpsbridge-switch gpsbridge")
    }

    @Test func `a socket or folder that geoclue's user may not use is named`() throws {
        try write("etc/passwd", "geoclue:x:64000:64000::/:\n")
        #expect(chmod(folder.path(Self.socketPath), 0o660) == 0)
        #expect(try failure(.noSocket).text.hasSuffix("may not connect to /\(Self.socketPath)."))
        try write("etc/group", "gps:x:\(getgid()):a,geoclue\n")
        #expect(findings[3].level == .ok, "\(findings)")
        #expect(chmod(folder.path("run"), 0o700) == 0)
        #expect(try failure(.noSocket).remedy == "sudo chmod o+x /run")
        try write("etc/passwd", "")
        #expect(try failure(.noSocket).text.contains("does not exist"))
    }

    @Test func `a socket at which no program listens is not ok, and a file is none`() throws {
        socket.close()
        let path = folder.path(Self.socketPath)
        #expect(
            system("exec python3 -c 'import socket; socket.socket(1).bind(\"\(path)\")'") == 0)
        #expect(try failure(.noSocket).text == "No program listens at /\(Self.socketPath).")
        #expect(unlink(path) == 0)
        try write(Self.socketPath, "")
        #expect(try failure(.noSocket).text == "/\(Self.socketPath) is not a socket.")
    }

    @Test func `the receiver that is served is examined last`() async throws {
        let run = try await CommandRun(
            words: ["doctor", "--desktop", "simulated:rate=10", "--duration", "300"])
        let lines = try await run.lines()
        #expect(lines.first?.contains("geoclue") == true, "\(lines)")
        #expect(lines.last?.contains("Fixes arrive") == true, "\(lines)")
        // It depends on this machine.
        #expect([0, 40, 41, 42, 43, 44].contains(await run.status()))
    }

    @Test func `a report of a receiver is no matter of the desktop`() async throws {
        let run = try await CommandRun(words: ["doctor", "--desktop", "--report", folder.path("r")])
        #expect(await run.status() == 2)
    }

    private static let service =
        "usr/share/dbus-1/system-services/org.freedesktop.GeoClue2.service"
    private static let file = "etc/geoclue/geoclue.conf"
    private static let dropIn = "etc/geoclue/conf.d/50-gpsbridge.conf"
    private static let socketPath = "run/gpsbridge-geoclue.sock"
    private static let defaults = """
        # As Debian has it.
        [agent]
        whitelist=geoclue-demo-agent;gnome-shell
        [network-nmea]
        enable=true
        # nmea-socket=/var/run/gps-share.sock

        """

    private var findings: [Finding] { findings(user: getuid()) }

    private func findings(user: UInt32) -> [Finding] {
        DesktopFindings(DesktopEvidence(root: folder.path, user: user)).findings
    }

    /// Returns the first error, which must be about a condition.
    private func failure(_ condition: Condition) throws -> Finding {
        let finding = try #require(findings.first { $0.level == .error })
        #expect(finding.condition == condition)
        return finding
    }

    /// Runs the command of a remedy, on the files in the folder.
    private func perform(_ remedy: String) throws {
        let command = String(try #require(remedy.split(separator: " && ").first))
            .replacing("sudo ", with: "").replacing("/etc/", with: "\(folder.path)/etc/")
        #expect(system("\(command) >'\(folder.path("output"))'") == 0, "\(command)")
    }

    private func write(_ path: String, _ text: String) throws {
        var parent = ""
        for name in path.split(separator: "/").dropLast() {
            parent += "/\(name)"
            mkdir(folder.path + parent, 0o755)
        }
        _ = try folder.file(path, Array(text.utf8))
    }

    private func remove(_ path: String) throws {
        guard unlink(folder.path(path)) == 0 else { throw POSIXError(errno) }
    }
}
