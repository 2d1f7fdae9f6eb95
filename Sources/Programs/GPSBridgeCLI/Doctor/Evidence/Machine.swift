// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Glibc

/// The devices and programs of this machine.
struct Machine: Sendable {
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
