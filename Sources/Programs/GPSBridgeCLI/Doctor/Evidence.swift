// SPDX-License-Identifier: MIT
package import GNSS
package import GPSIO
package import GPSReceivers
import Glibc

/// Everything that was found out about a receiver. `Diagnosis` evaluates it.
package struct Evidence: Sendable {
    /// A tty of a USB device.
    package struct TTY: Sendable {
        package var path: String
        /// The vendor and product ID, such as `1546:01a7`.
        package var id: String
        package var model: String
        package var driver: String?
        /// Whether the device is known or declared to be a receiver that sends NMEA.
        package var sendsNMEA = true
        package var isReceiver = true
        /// Whether a udev rule of gpsbridge or the administrator declares the device a receiver.
        package var isDeclared = false
        /// Whether the device has a name in `/dev/gnss`, which gpsbridge's udev rules create.
        package var isNamedByRules = false
        package var isIgnoredByModemManager = false
        /// The serial number that USB reports; `nil` for many devices.
        package var serialNumber: String?
        /// A persistent path, based on the serial number or the USB port; `nil` if udev has created
        /// none.
        package var stablePath: String?
        /// The latency timer of an FTDI converter in milliseconds: how long it buffers bytes. `nil`
        /// for other devices, and until the device has been opened.
        package var latencyTimer: Int?
        /// The path of the sysfs file that controls the device's power saving; `nil` if power
        /// saving is off.
        package var powerControl: String?
        /// The paths of the other ttys of the same USB device.
        package var siblings: [String] = []

        package init(path: String, id: String, model: String, driver: String? = nil) {
            self.path = path
            self.id = id
            self.model = model
            self.driver = driver
        }
    }

    /// The name of the examined device, given by the user or of the receiver that was found; `nil`
    /// if none was found.
    package var name: String?
    /// The examined device's USB properties; `nil` if it is not a USB device.
    package var tty: TTY?
    /// The ttys, except that of the examined device, that are or may be receivers.
    package var others: [TTY] = []
    /// The ttys that are probably not receivers.
    package var nonReceivers: [TTY] = []
    /// The path of the tty on the board's serial pins, for example on a Raspberry Pi; `nil` if
    /// there is none.
    package var boardLine: String?
    /// The receivers and serial converters without a tty.
    package var unboundDevices: [UnboundDevice] = []
    /// Whether udevd runs, so that its rules can be read.
    package var isUdevRunning = true
    package var isModemManagerRunning = false
    /// Whether gpsbridge's service is installed but leaves the receivers to gpsd, which is enabled.
    package var isServiceYieldingToGPSD = false
    /// The paths of gpsbridge's installed udev rules that give access to devices.
    package var ruleFiles: [String] = []
    /// The error that occurred when the device was opened or read; `nil` if there was none.
    package var failure: DeviceError?
    /// Whether the data is live, recorded or simulated.
    package var origin = DataOrigin.live
    /// Whether the user has specified a baud rate.
    var isRateGiven = false
    /// Whether `doctor` runs as root, which can see the open files of all programs.
    var isRoot = false
    /// Whether the receiver is read over the network.
    var isNetwork: Bool { name?.contains("://") == true }
    /// Whether the source is a pipe or standard input without a known device.
    package var isPipe = false
    /// The name of the format, such as GPX, if the source is a track file; `nil` for a receiver's
    /// output.
    package var format: String?
    /// How often the device came back after it had disappeared; `nil` if it did not disappear.
    package var reconnects: Reconnections?
    /// The received data; `nil` if the source could not be opened.
    package var line: LineAnalysis?
    /// The received bytes, for a report; `nil` if none was asked for.
    var copy: ReceivedCopy?
    /// The maximum error of the system's clock in seconds; `nil` if it is not synchronised.
    package var clockError: Double?
    /// The date according to the system's clock.
    package var today: CalendarDate?

    /// Creates evidence with default values: nothing has been found out yet.
    package init() {}
}

/// The files with gpsbridge's udev rules, in all folders that udev reads.
enum InstalledRules {
    private static let folders = [
        "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d",
        "/usr/lib/udev/rules.d", "/lib/udev/rules.d",
    ]

    /// Returns the paths of the files. A file that is found in several folders is listed once.
    static func find() -> [String] {
        var names: Set<String> = []
        return folders.flatMap { folder in
            Folder.names(in: folder).sorted()
                .filter { $0.hasSuffix("gpsbridge.rules") && names.insert($0).inserted }
                .map { "\(folder)/\($0)" }
        }
    }

    /// Returns whether udev reads a rules file with this name at the right time. udev sorts the
    /// files by name: the file must come after 60-serial.rules, which names devices, and before
    /// 73-seat-late.rules, which grants access.
    static func isInTime(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name > "60-serial.rules" && name < "73-seat-late.rules"
    }
}

/// Checks the installed systemd units for a conflict between gpsbridge and gpsd.
private enum InstalledService {
    private static let unitFolders = [
        "/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
        "/lib/systemd/system",
    ]

    /// Whether gpsbridge's socket unit does not start because gpsd is enabled, and not masked. The
    /// unit file contains the same conditions.
    static var isYieldingToGPSD: Bool {
        unitFolders.contains { exists("\($0)/gpsbridge.socket") }
            && exists("/etc/systemd/system/sockets.target.wants/gpsd.socket")
            && !exists("/etc/gpsbridge/instead-of-gpsd")
            && Node("/etc/systemd/system/gpsd.socket").linkTarget == nil
    }

    private static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }
}

/// The devices and programs of this machine.
private struct Machine: Sendable {
    private let devices: [DiscoveredDevice]
    let evidence: Evidence

    /// Collects the evidence that does not depend on the examined device.
    init() {
        devices = DeviceDiscovery.devices()
        var evidence = Evidence()
        evidence.unboundDevices = UnboundDevice.all()
        // This socket exists if and only if udevd is running.
        evidence.isUdevRunning = access("/run/udev/control", F_OK) == 0
        evidence.nonReceivers = devices.filter { $0.kind == .other }.map { Evidence.TTY($0) }
        evidence.boardLine = ["/dev/serial0", "/dev/ttyAMA0"].first { access($0, F_OK) == 0 }
        evidence.ruleFiles = InstalledRules.find()
        evidence.isModemManagerRunning = RunningProcess.all.contains { $0.name == "ModemManager" }
        evidence.isServiceYieldingToGPSD = InstalledService.isYieldingToGPSD
        evidence.today = SystemClock.now?.date
        self.evidence = evidence
    }

    /// Returns the receiver to examine if the user names none: a known receiver that sends NMEA,
    /// otherwise a candidate, otherwise any known receiver. Returns `nil` if there is none.
    func source(baudRate: BaudRate?) -> SerialSource? {
        let device =
            devices.first(where: \.sendsNMEA) ?? devices.first { $0.kind == .candidate }
            ?? devices.first(where: \.isReceiver)
        return device.map { SerialSource($0.path, baudRate: baudRate) }
    }

    /// Returns the evidence with the USB properties of the tty at `path` and of other possible
    /// receivers.
    func completing(_ evidence: Evidence, path: String?) -> Evidence {
        var evidence = evidence
        let own = path.flatMap { DeviceDiscovery.device(at: $0) }
        evidence.tty = own.map { Evidence.TTY($0) }
        evidence.tty?.siblings = devices.filter { own?.isSibling(of: $0) == true }.map(\.path)
        evidence.others = devices.filter { $0.kind != .other && $0.path != own?.path }
            .map { Evidence.TTY($0) }
        return evidence
    }
}

extension Evidence.TTY {
    fileprivate init(_ device: DiscoveredDevice) {
        self.init(
            path: device.path, id: "\(device.vendorID):\(device.productID)", model: device.model,
            driver: device.driver)
        sendsNMEA = device.sendsNMEA
        isReceiver = device.isReceiver
        isDeclared = device.isDeclared
        isNamedByRules = device.links.contains { $0.hasPrefix("/dev/gnss/") }
        serialNumber = device.serialNumber.flatMap { $0.isEmpty ? nil : $0 }
        stablePath = device.stablePath
        let treatment = TTYStatus(path: device.path)
        isIgnoredByModemManager = treatment?.isIgnoredByModemManager ?? false
        powerControl = treatment?.powerControl
    }
}

/// How often a device came back after it had disappeared while it was read.
package struct Reconnections: Sendable {
    /// How long the device was watched, in seconds.
    package var seconds: Double
    /// The number of times that the device came back.
    package var returns: Int

    package init(seconds: Double, returns: Int) {
        self.seconds = seconds
        self.returns = returns
    }

    /// Watches for `seconds`, or until the device has come back three times.
    package static func watch(
        _ device: DiscoveredDevice, for seconds: Double, poller: Poller = .shared
    ) async -> Reconnections {
        let start = poller.now
        let returns = await withTaskGroup(of: Int?.self) { group in
            group.addTask {
                var returns = 0
                var last = device
                for await change in DeviceDiscovery.changes() {
                    // The same device may be reported again before udev has removed it.
                    guard case .appeared(let new) = change, new.isReturn(of: last) else { continue }
                    last = new
                    returns += 1
                    if returns == 3 { break }
                }
                return returns
            }
            group.addTask {
                _ = await poller.sleep(until: start + .seconds(seconds))
                return nil
            }
            defer { group.cancelAll() }
            var returns = 0
            for await result in group {
                if let result { returns = result }
                group.cancelAll()
            }
            return returns
        }
        return Reconnections(seconds: poller.now.seconds(since: start), returns: returns)
    }
}

extension DiscoveredDevice {
    /// Returns whether this is the same device as `other` after it was reconnected.
    fileprivate func isReturn(of other: DiscoveredDevice) -> Bool {
        guard let key, key == other.key else { return false }
        return path != other.path || busDeviceNumber != other.busDeviceNumber
    }
}

/// The findings about a receiver, from the USB device to the reception of satellites.
package struct Diagnosis: Sendable {
    /// The findings, in the order of examination.
    package let findings: [Finding]

    /// The receiver's condition: the first error, because it may be the cause of later errors;
    /// `fixes` if there are no errors.
    package var condition: Condition {
        findings.lazy.compactMap { $0.level == .error ? $0.condition : nil }.first ?? .fixes
    }

    /// Evaluates the evidence about a desktop's geoclue, then that about the receiver it reads.
    package init(_ desktop: DesktopEvidence, _ evidence: Evidence) {
        let service = DesktopFindings(
            desktop, isYieldingToGPSD: evidence.isServiceYieldingToGPSD)
        findings = service.findings + Diagnosis(evidence).findings
    }

    /// Evaluates the evidence. The same evidence always gives the same findings.
    package init(_ evidence: Evidence) {
        let presence = PresenceFindings(evidence).findings
        let access = AccessFindings(evidence).findings
        let line = evidence.line.map { LineFindings($0, evidence).findings } ?? []
        let sky = evidence.line.map { SkyFindings($0, evidence).findings } ?? []
        if let format = evidence.format {
            let name = evidence.name ?? "it"
            let text = "\(name) is a track file (\(format)), not the output of a receiver."
            let remedy =
                "to read it, use `gpsbridge convert` or `gpsbridge monitor`; `gpsbridge doctor` "
                + "examines only receivers and raw recordings"
            findings = presence + [.error(.otherFormat, text, remedy: remedy)]
            return
        }
        findings = presence + access + (line + sky).map { Self.fitting($0, evidence) }
    }

    /// Returns the finding, without a remedy that doesn't apply: one about cables and antennas for
    /// a file or a pipe, or about this machine's ports for a receiver on another machine.
    private static func fitting(_ finding: Finding, _ evidence: Evidence) -> Finding {
        guard let remedy = finding.remedy else { return finding }
        var finding = finding
        let isForFile = ["look at the data", "gpsbridge ", "record it again"]
            .contains { remedy.hasPrefix($0) }
        let isForSocket = remedy.contains("unplug") || remedy.contains("socket")
        let isData = evidence.origin == .replay || evidence.isPipe
        if isData && !isForFile || evidence.isNetwork && isForSocket {
            finding.remedy = nil
        }
        return finding
    }
}

/// Examines a receiver, from the USB device to the reception of satellites.
///
/// It never sends a byte to the device, and doesn't open a device that another program has open.
package struct Examination: Sendable {
    /// The source to examine; `nil` to choose a receiver that is plugged in.
    private let source: (any DeviceSource)?
    private let baudRate: BaudRate?
    private let limit: Double?
    /// The error that prevents the use of the source; `nil` if there is none.
    var failure: DeviceError?
    /// The name of the format, such as GPX, of a file that is not a receiver's output.
    var format: String?
    /// Whether the received bytes are kept for a report.
    var keepsCopy = false
    /// The thread and clock used for all waiting.
    private var poller = Poller.shared

    /// The maximum time in seconds to wait for the return of a device that disappeared. After a bad
    /// contact, it usually returns within this time.
    private static let maximumWatchTime = 10.0

    /// Prepares to read `source` for at most `limit` seconds; `nil` for 15 s, or 6 s if nothing
    /// arrives.
    package init(of source: (any DeviceSource)?, baudRate: BaudRate? = nil, limit: Double? = nil) {
        self.source = source
        self.baudRate = baudRate
        self.limit = limit
    }

    /// Collects the evidence.
    ///
    /// - Throws: Only `CancellationError`.
    package func evidence() async throws -> Evidence {
        let machine = await BackgroundExecutor.run { Machine() }
        var evidence = machine.evidence
        evidence.failure = failure
        guard let source = self.source ?? machine.source(baudRate: baudRate), failure == nil else {
            if let failure { evidence.name = failure.device }
            return machine.completing(evidence, path: failure?.device)
        }
        let path = await BackgroundExecutor.run { source.ttyPath }
        evidence.name = path ?? source.name
        evidence.isRateGiven = baudRate != nil
        evidence.isRoot = geteuid() == 0
        evidence.origin = source.origin
        evidence.clockError = ClockSynchronization.maximumError
        evidence.isPipe = source.origin.mayBeLive && path == nil && !evidence.isNetwork
        evidence = machine.completing(evidence, path: path)
        evidence.format = format
        guard format == nil else { return evidence }
        if let path, let holder = TTYStatus.holder(of: path) {
            evidence.failure = DeviceError(.busy, device: path, detail: holder)
            return evidence
        }
        let device = path.flatMap { DeviceDiscovery.device(at: $0) }
        do throws(DeviceError) {
            let connection = try await source.openToListen()
            defer { connection.close() }
            evidence.tty?.latencyTimer = path.flatMap { TTYStatus.latencyTimer(of: $0) }
            var observation = LineObservation(
                connection, origin: source.origin, limit: limit, poller: poller,
                copy: keepsCopy ? ReceivedCopy() : nil)
            let failure = await observation.run()
            evidence.copy = observation.copy
            // A server states this in its list of devices, often with the first position.
            if connection.isServedReplay { evidence.origin = .replay }
            if Task.isCancelled { throw DeviceError(.cancelled, device: source.name) }
            evidence.failure = failure
            evidence.line = observation.report
        } catch {
            guard error.code != .cancelled else { throw CancellationError() }
            evidence.failure = error
        }
        if evidence.failure?.code == .disconnected, let device {
            evidence.reconnects = await Reconnections.watch(
                device, for: min(limit ?? Self.maximumWatchTime, Self.maximumWatchTime),
                poller: poller)
        }
        return evidence
    }
}
