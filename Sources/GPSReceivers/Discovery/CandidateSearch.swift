// SPDX-License-Identifier: MIT
package import GPSIO

/// Reads all devices that may be receivers at once, without sending them anything, to find one that
/// is.
package struct CandidateSearch: Sendable {
    private let baudRate: BaudRate?
    private let poller: Poller

    /// Creates a search at one rate, or at all rates if it is `nil`.
    package init(baudRate: BaudRate? = nil, poller: Poller = .shared) {
        self.poller = poller
        self.baudRate = baudRate
    }

    private enum Outcome: Sendable {
        case understood(SerialConnection)
        case nothing(DiscoveredDevice)
        case failed(DeviceError)
        /// A device that is recognised as a receiver has been plugged in.
        case receiverAppeared
    }

    /// The result of a search.
    package enum Finding: Sendable {
        /// The open connection to the first device that sends messages.
        case receiver(SerialConnection)
        /// No device sends messages: the devices that were read, and the error of the first that
        /// could not be opened.
        case none(silent: [DiscoveredDevice], failure: DeviceError?)
        /// A device that is recognised as a receiver has been plugged in.
        case receiverAppeared
    }

    /// Reads the candidates until one sends messages, or all rates have been tried.
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
        do throws(DeviceError) {
            var source = SerialSource(device.path, baudRate: baudRate)
            source.poller = poller
            let connection = try source.listen(to: device)
            var reader = RateFindingReader(connection, poller: poller)
            guard try await reader.isUnderstood() else {
                connection.close()
                return .nothing(device)
            }
            return .understood(connection)
        } catch {
            // A device that rejects the settings, or goes while it is read, could be opened.
            let hasBeenOpen: [DeviceError.Code] = [.configurationFailed, .ioFailed, .disconnected]
            return hasBeenOpen.contains(error.code) ? .nothing(device) : .failed(error)
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
