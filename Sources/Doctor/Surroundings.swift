// SPDX-License-Identifier: MIT
import Devices
import GNSS
import Glibc

/// What is plugged in and what runs on this machine.
struct Surroundings: Sendable {
    private let devices: [DiscoveredDevice]
    let evidence: Evidence

    /// Looks around.
    init() {
        devices = DeviceDiscovery.devices()
        var evidence = Evidence()
        evidence.orphans = TTYlessDevice.all().map { Evidence.Orphan($0) }
        // There is a udevd exactly if this exists.
        evidence.isUdevRunning = access("/run/udev/control", F_OK) == 0
        evidence.strangers = devices.filter { $0.kind == .other }.map { Evidence.TTY($0) }
        evidence.boardLine = ["/dev/serial0", "/dev/ttyAMA0"].first { access($0, F_OK) == 0 }
        evidence.ruleFiles = InstalledRules.find()
        evidence.isModemManagerRunning = Self.isRunning("ModemManager")
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        evidence.today = CalendarDate(daysSince1970: time.tv_sec / 86_400)
        self.evidence = evidence
    }

    /// The receiver to examine where none is named: what is certainly one, then what may be.
    func source(baudRate: BaudRate?) -> SerialSource? {
        let device =
            devices.first(where: \.speaksNMEA) ?? devices.first { $0.kind == .candidate }
            ?? devices.first(where: \.isReceiver)
        return device.map { SerialSource($0.path, baudRate: baudRate) }
    }

    /// The tty behind a serial number, so that all that is known of ttys is told; else as it is.
    func resolved(_ source: any DeviceSource) -> any DeviceSource {
        guard let chosen = source as? ChosenReceiverSource else { return source }
        let own = devices.filter { $0.serialNumber == chosen.serialNumber }
        let device = own.first(where: \.speaksNMEA) ?? own.first
        return device.map { SerialSource($0.path, baudRate: chosen.baudRate) } ?? source
    }

    /// Adds what USB tells of the tty that is examined, and of the others.
    func completing(_ evidence: Evidence, path: String?) -> Evidence {
        var evidence = evidence
        let own = device(at: path)
        evidence.tty = own.map { Evidence.TTY($0) }
        evidence.tty?.siblings = devices.filter { own?.isSibling(of: $0) == true }.map(\.path)
        evidence.others = devices.filter { $0.kind != .other && $0.path != own?.path }
            .map { Evidence.TTY($0) }
        return evidence
    }

    /// What udev knows of a tty.
    func device(at path: String?) -> DiscoveredDevice? {
        path.flatMap { DeviceDiscovery.device(at: $0) }
    }

    private static func isRunning(_ program: String) -> Bool {
        guard let folder = opendir("/proc") else { return false }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard Int(name) != nil, let file = fopen("/proc/\(name)/comm", "re") else { continue }
            defer { fclose(file) }
            var line = [UInt8](repeating: 0, count: 64)
            let count = fread(&line, 1, line.count, file)
            // The kernel keeps 15 characters.
            if line.prefix(count).elementsEqual(program.utf8.prefix(15) + [0x0A]) { return true }
        }
        return false
    }
}

extension Evidence.TTY {
    fileprivate init(_ device: DiscoveredDevice) {
        self.init(
            path: device.path, id: "\(device.vendorID):\(device.productID)", model: device.model,
            driver: device.driver)
        speaksNMEA = device.speaksNMEA
        isReceiver = device.isReceiver
        isDeclared = device.isDeclared
        serialNumber = device.serialNumber.flatMap { $0.isEmpty ? nil : $0 }
        stablePath = device.stablePath
        let treatment = TTYTreatment(path: device.path)
        isIgnoredByModemManager = treatment?.isIgnoredByModemManager ?? false
        powerControl = treatment?.powerControl
    }
}

extension Evidence.Orphan {
    fileprivate init(_ device: TTYlessDevice) {
        self.init(id: "\(device.vendorID):\(device.productID)", model: device.model)
        isAuthorized = device.isAuthorized
        drivers = device.drivers
        module = device.module
    }
}
