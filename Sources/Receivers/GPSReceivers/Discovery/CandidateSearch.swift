// SPDX-License-Identifier: MIT
package import GPSIO

/// Reads several possible receivers at the same time, to find a device that sends messages. Nothing
/// is sent to them. A device that another program has open is not read.
package struct CandidateSearch: Sendable {
    private let baudRate: BaudRate?
    private let poller: Poller

    /// Creates a search at one baud rate, or at all rates if `baudRate` is `nil`.
    package init(baudRate: BaudRate? = nil, poller: Poller = .shared) {
        self.poller = poller
        self.baudRate = baudRate
    }

    private enum Outcome: Sendable {
        case understood(SerialConnection)
        case nothing(DiscoveredDevice)
        case failed(DeviceError)
        /// A recognised receiver that sends NMEA has been plugged in, so the search has ended.
        case receiverAppeared
    }

    /// The result of a search.
    package enum Finding: Sendable {
        /// The first device that sends messages, as an open connection.
        case receiver(SerialConnection)
        /// No device sends messages. `silent` contains the devices that were read, and `failure`
        /// the error of the first device that could not be opened.
        case none(silent: [DiscoveredDevice], failure: DeviceError?)
        /// A recognised receiver that sends NMEA has been plugged in, so the search has ended.
        case receiverAppeared
    }

    /// Reads all candidates until one sends messages, or until all baud rates have been tried.
    package func search(_ candidates: [DiscoveredDevice]) async -> Finding {
        guard !candidates.isEmpty else { return .none(silent: [], failure: nil) }
        return await withTaskGroup(of: Outcome.self) { group in
            for candidate in candidates { group.addTask { await listen(to: candidate) } }
            group.addTask { await waitForReceiver() }
            defer { group.cancelAll() }
            var failure: DeviceError?
            var silent: [DiscoveredDevice] = []
            for _ in candidates {
                switch await group.next() {
                case .understood(let connection)?: return .receiver(connection)
                case .failed(let error)?: failure = failure ?? error
                case .nothing(let device)?: silent.append(device)
                case .receiverAppeared?, nil: return .receiverAppeared
                }
            }
            return .none(silent: silent, failure: failure)
        }
    }

    private func listen(to device: DiscoveredDevice) async -> Outcome {
        // A program that uses the device, such as that of a printer, may not have locked the tty. The
        // search would change its baud rate.
        if let reader = TTYStatus.otherReader(of: device.path) {
            return .failed(DeviceError(.busy, device: device.path, detail: reader))
        }
        var source = SerialSource(device.path, baudRate: baudRate)
        source.poller = poller
        let connection: SerialConnection
        do throws(DeviceError) {
            connection = try source.listen(to: device)
        } catch {
            // A device that has just been plugged in may be opened later.
            return .failed(error)
        }
        do throws(DeviceError) {
            var reader = RateFindingReader(connection, poller: poller)
            guard try await reader.findRate() else {
                connection.close()
                return .nothing(device)
            }
            return .understood(connection)
        } catch {
            // Otherwise, the device was unplugged, or it failed while it was read.
            return error.code == .cancelled ? .failed(error) : .nothing(device)
        }
    }

    private func waitForReceiver() async -> Outcome {
        let udevAvailability = FirstReceiverSource.udevAvailability(poller)
        while !Task.isCancelled {
            if DeviceDiscovery.receivers().contains(where: \.sendsNMEA) { return .receiverAppeared }
            await udevAvailability.next(until: nil)
        }
        return .receiverAppeared
    }
}
