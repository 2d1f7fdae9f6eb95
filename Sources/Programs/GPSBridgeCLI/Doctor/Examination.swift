// SPDX-License-Identifier: MIT
import GNSS
package import GPSIO
package import GPSReceivers
import Glibc

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
    /// The thread and clock used for all waiting.
    package var poller = Poller.shared

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

    /// Collects and evaluates the evidence.
    ///
    /// - Throws: Only `CancellationError`.
    package func run() async throws -> Diagnosis {
        Diagnosis(try await evidence())
    }

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
                connection, origin: source.origin, limit: limit, poller: poller)
            let failure = await observation.run()
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
            evidence.reconnects = await ReconnectReport.watch(
                device, for: min(limit ?? Self.maximumWatchTime, Self.maximumWatchTime),
                poller: poller)
        }
        return evidence
    }
}
