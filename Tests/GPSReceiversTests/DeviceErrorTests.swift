// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct DeviceErrorTests {
    @Test func `names the group that may open the device`() {
        let error = DeviceError(
            .permissionDenied, device: "/dev/ttyUSB0", errno: EACCES, detail: .group("dialout"))
        #expect(error.description.contains("sudo usermod -aG dialout $USER"))
    }

    @Test(arguments: [
        ("drive.nmea", "There is no file drive.nmea: check its name."),
        ("./gps", "There is no file ./gps: check its name."),
        ("/dev/ttyUSB0", "There is no /dev/ttyUSB0: plug the receiver in or check the name."),
        (
            "/dev/pps7",
            "There is no /dev/pps7: create it with `ldattach 18 TTY`, or name the tty whose line "
                + "carries the pulse."
        ),
        ("serial:12", "There is no serial:12: plug the receiver in or check the name."),
    ])
    func `the error of a missing file does not advise plugging a receiver in`(
        _ name: String, _ expected: String
    ) {
        #expect(DeviceError(.notFound, device: name, errno: ENOENT).description == expected)
    }

    @Test func `no udev rule is proposed for another user's file`() {
        let file = DeviceError(.permissionDenied, device: "/home/a/track.nmea", errno: EACCES)
        #expect(file.description.contains("ask the owner"))
        let device = DeviceError(.permissionDenied, device: "/dev/ttyUSB0", errno: EACCES)
        #expect(device.description.contains("udev rule"))
    }

    @Test func `the owner of a file that its mode hides is advised to change the mode`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", [])
        #expect(chmod(path, 0) == 0)
        let error = DeviceError.opening(path, errno: EACCES)
        #expect(error.detail == .ownerDenied)
        #expect(error.description.hasSuffix("its owner, read it, so run `chmod u+r \(path)`."))
    }

    @Test func `a container that forbids the device is distinguished from a missing group`() {
        let error = DeviceError(.permissionDenied, device: "/dev/ttyUSB0", errno: EPERM)
        #expect(error.description.contains("container"))
    }

    @Test func `an error has the code that it is created with`() {
        let error = DeviceError(.ioFailed, device: "track.nmea", errno: EMFILE)
        #expect(error.code == .ioFailed)
    }

    @Test(arguments: [(EMFILE, "ulimit -n"), (ENFILE, "fs.file-max")])
    func `too many open files have their own error for every kind of descriptor`(
        _ number: CInt, _ remedy: String
    ) {
        for code in [DeviceError.Code.ioFailed, .unreachable, .noPseudoTerminal] {
            let error = DeviceError(of: code, device: "track.nmea", errno: number)
            #expect(error.code == .tooManyOpenFiles)
            #expect(error.description.contains(remedy))
            #expect(!error.description.contains("plug"))
        }
    }

    @Test func `the error of a damaged file does not claim that it is compressed`() {
        let error = DeviceError(.ioFailed, device: "track.json", errno: EBADMSG)
        #expect(
            error.description
                == "track.json is damaged: its data cannot be read to the end; copy it again from its source."
        )
    }

    @Test func `a pulse device without the requested edge gets no advice to plug it in again`() {
        let error = DeviceError(.ioFailed, device: "/dev/pps0", errno: EOPNOTSUPP)
        #expect(error.description.contains("use the other edge"))
        #expect(!error.description.contains("plug"))
    }

    @Test
    func `the error of a link that cannot be created advises another folder, not read access`() {
        let error = DeviceError(IOError(.link, "/opt/gps", errno: EACCES))
        #expect(error.code == .linkFailed)
        #expect(
            error.description
                == "The link /opt/gps cannot be created: Permission denied; choose a folder that you may write to."
        )
    }

    @Test func `a listening address of another machine gets no advice to check a server`() {
        let error = DeviceError(.unreachable, device: "udp://8.8.8.8:5000", errno: EADDRNOTAVAIL)
        #expect(error.description.contains("an address of this machine"))
        #expect(!error.description.contains("server"))
    }

    @Test func `the error of standard input does not advise plugging it in`() {
        let error = DeviceError(.ioFailed, device: "-", errno: EISDIR)
        #expect(error.description.hasPrefix("Standard input (-) cannot be read (Is a directory)"))
        #expect(!error.description.contains("plug"))
    }

    @Test func `the error of a server does not advise plugging it in`() {
        for code in [DeviceError.Code.ioFailed, .flooded, .disconnected] {
            let error = DeviceError(code, device: "tcp://boat:10110", errno: ENETUNREACH)
            #expect(error.description.contains("server"))
            #expect(!error.description.contains("plug"))
        }
    }

    @Test func `the reason why a host name could not be resolved is reported`() {
        let reason = "Temporary failure in name resolution"
        let error = DeviceError(IOError(.lookUp, "tcp://boat:1", errno: 0, reason: reason))
        #expect(
            error.description
                == "The host of tcp://boat:1 was not found (\(reason)): check its name and the "
                + "network.")
        let unknown = DeviceError(IOError(.lookUp, "tcp://boat:1", errno: 0))
        #expect(unknown.description.contains("was not found: check"))
    }

    @Test func `the lack of pseudo terminals has its own error`() {
        let error = DeviceError(.noPseudoTerminal, device: "/dev/ptmx", errno: ENOSPC)
        #expect(error.description.contains("kernel.pty.max"))
        #expect(!error.description.contains("plug"))
    }

    @Test func `the program that holds the device is named`() {
        let error = DeviceError(
            .busy, device: "/dev/ttyUSB0", detail: .heldBy(program: "gpsd", processID: 812))
        #expect(
            error.description
                == "/dev/ttyUSB0 is in use by gpsd (process 812): read gpsd://localhost, or stop that program."
        )
        let other = DeviceError(
            .busy, device: "/dev/ttyUSB0", detail: .heldBy(program: "cat", processID: 7))
        #expect(!other.description.contains("gpsd://"))
        let hidden = DeviceError(
            .busy, device: "/dev/ttyUSB0", detail: .probablyHeldBy(server: "gpsbridge serve"))
        #expect(
            hidden.description.contains("another program, probably gpsbridge serve: read gpsd://"))
    }

    @Test(arguments: [
        DeviceError.Code.notFound, .permissionDenied, .busy, .notADevice, .isDirectory,
        .disconnected, .configurationFailed, .ioFailed, .nameTaken, .linkFailed, .cancelled,
        .stateNotStored, .invalidSource,
        .init(rawValue: "new"),
    ])
    func `the description is one sentence about the device`(code: DeviceError.Code) {
        let text = DeviceError(code, device: "/dev/ttyUSB0", errno: EIO).description
        #expect(text.contains("/dev/ttyUSB0"))
        #expect(text.hasSuffix("."))
        #expect(!text.contains(". "))
    }
}
