// SPDX-License-Identifier: MIT
package import GPSIO

/// Listens to devices that may be receivers, all at once, without sending them anything.
package struct CandidateSearch: Sendable {
    private let baudRate: BaudRate?
    private let poller: Poller

    /// Prepares to listen at a rate, or at all of them.
    package init(baudRate: BaudRate? = nil, poller: Poller = .shared) {
        self.poller = poller
        self.baudRate = baudRate
    }

    private enum Outcome: Sendable {
        case understood(SerialConnection)
        case nothing(DiscoveredDevice)
        case failed(DeviceError)
        /// Something that is certainly a receiver has been plugged in meanwhile.
        case overtaken
    }

    /// What a search came to.
    package enum Finding: Sendable {
        /// The first that was understood, open.
        case receiver(SerialConnection)
        /// None speaks: those that have been listened to, and why another could not be opened.
        case none(silent: [DiscoveredDevice], failure: DeviceError?)
        /// Something that is certainly a receiver has been plugged in meanwhile.
        case overtaken
    }

    /// Listens until one is understood, or all rates have been tried.
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
                case .overtaken?, nil: return .overtaken
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
            var reader = LineReader(connection, poller: poller)
            guard try await reader.isUnderstood() else {
                connection.close()
                return .nothing(device)
            }
            return .understood(connection)
        } catch {
            // What does not take the settings, or goes while it is read, has been open.
            let hasBeenOpen: [DeviceError.Code] = [.configurationFailed, .ioFailed, .disconnected]
            return hasBeenOpen.contains(error.code) ? .nothing(device) : .failed(error)
        }
    }

    private func waitForReceiver() async -> Outcome {
        let newcomers = FirstReceiverSource.newcomers(poller)
        while !Task.isCancelled {
            if DeviceDiscovery.receivers().contains(where: \.speaksNMEA) { return .overtaken }
            await newcomers.next(until: nil)
        }
        return .overtaken
    }
}
