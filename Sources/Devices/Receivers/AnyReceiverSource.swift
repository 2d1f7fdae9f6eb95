// SPDX-License-Identifier: MIT

/// The first receiver that udev knows.
public struct AnyReceiverSource: DeviceSource {
    /// The line's speed, for receivers behind a converter.
    public var baudRate: BaudRate

    /// Names whatever receiver will be there.
    public init(baudRate: BaudRate = .default) {
        self.baudRate = baudRate
    }

    /// `any receiver`.
    public var name: String { "any receiver" }
    /// Live.
    public var origin: DataOrigin { .live }
    /// The same for all of these: they would open the same receiver.
    public var identity: SourceIdentity { SourceIdentity("any receiver") }

    /// Opens the first receiver that can be opened.
    ///
    /// Throws `.noReceiver` where there is none, else what `SerialSource` throws for the first.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
            () async throws(DeviceError) in try connect()
        }
    }

    private func connect() throws(DeviceError) -> SerialConnection {
        var failure: DeviceError?
        for receiver in DeviceDiscovery.receivers() where receiver.speaksNMEA {
            do {
                return try SerialSource(receiver.path, baudRate: baudRate).connect()
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? DeviceError(.noReceiver, device: name)
    }

    /// Listens to udev.
    public func appearances() -> (any DeviceAppearances)? {
        UdevMonitor()
    }
}

extension DeviceSource where Self == AnyReceiverSource {
    /// The first receiver that is plugged in, or will be.
    public static var any: AnyReceiverSource { AnyReceiverSource() }
}
