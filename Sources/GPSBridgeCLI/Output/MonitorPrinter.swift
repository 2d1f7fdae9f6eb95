// SPDX-License-Identifier: MIT
import Devices
import GNSS
import GPSBridge
import Outputs

/// Turns updates into lines; data goes to standard output, everything else to standard error.
struct MonitorPrinter {
    let format: MonitorFormat
    let origin: DataOrigin
    let isWaitedFor: Bool
    var remaining: Int?

    private let output = StandardOutput()
    private var device = ""
    private var dilution = DilutionOfPrecision()
    private var isLost = false

    init(format: MonitorFormat, origin: DataOrigin, isWaitedFor: Bool, remaining: Int?) {
        self.format = format
        self.origin = origin
        self.isWaitedFor = isWaitedFor
        self.remaining = remaining
    }

    /// Prints a sentence; returns whether that was the last.
    mutating func take(sentence: [UInt8]) throws -> Bool {
        try output.write(sentence + [0x0D, 0x0A])
        return isLast()
    }

    /// Prints what an update has to tell; returns whether that was the last.
    mutating func take(_ update: ReceiverUpdate) throws -> Bool {
        switch update {
        case .opened(let name): try opened(name)
        case .unavailable(let error): try unavailable(error)
        case .lost(let error): try lost(error)
        case .satellites(let view):
            if format == .json { try write { $0.report(view, dilution: dilution) } }
        case .epoch(let epoch):
            dilution = epoch.fix.dilution
            try print(epoch)
            return epoch.fix.mode > .noFix && format != .nmea && isLast()
        case .unheard: break
        case .ended(_, let error):
            if let error { throw error }
            return true
        }
        return false
    }

    private mutating func isLast() -> Bool {
        guard let count = remaining else { return false }
        remaining = count - 1
        return count <= 1
    }

    private func print(_ epoch: ReceiverEpoch) throws {
        switch format {
        case .screen, .text:
            let line = TextReports.line(
                for: epoch.fix, inView: epoch.satellites.satellites.count, origin: origin)
            try output.write(Array("\(line)\n".utf8))
        case .json: try write { $0.report(epoch.fix) }
        case .nmea: break
        }
    }

    // MARK: Comings and goings

    private mutating func opened(_ name: String) throws {
        device = name
        if isLost { StandardError.say("\(name) is back") }
        if !isLost, isWaitedFor { StandardError.say("reading \(name)") }
        isLost = false
        guard format == .json else { return }
        let subtype: String? =
            switch origin {
            case .live: nil
            case .replay: "replay"
            case .simulated: "simulated"
            }
        try write { $0.reportActivated(subtype: subtype) }
    }

    private mutating func unavailable(_ error: DeviceError) throws {
        guard !isLost else { return }
        guard isWaitedFor, error.code == .noReceiver else { throw error }
        StandardError.say(
            "no receiver is plugged in: waiting for one "
                + "(`gpsbridge monitor simulated` shows a simulated one)")
    }

    private mutating func lost(_ error: DeviceError) throws {
        isLost = true
        StandardError.say("\(device) is gone: waiting for it to come back")
        guard format == .json else { return }
        try write {
            $0.report(Fix())
            $0.reportGone()
        }
    }

    private func write(_ report: (inout GPSDReports) -> Void) throws {
        var reports = GPSDReports(device: device, isSimulated: origin == .simulated)
        report(&reports)
        try output.write(reports.bytes)
    }
}
