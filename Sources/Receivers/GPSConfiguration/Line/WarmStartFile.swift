// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
package import GPSReceivers

extension JournalFolder {
    /// Returns the file with the warm start data of a receiver.
    package func warmStart(of receiver: WarmStartReceiver) -> WarmStartFile {
        let name = String(receiver.name.map { $0.isLetter || $0.isNumber ? $0 : "-" })
        return WarmStartFile(path: "\(path)/warm-start-\(name).toml")
    }
}

/// The file with a receiver's warm start data.
package struct WarmStartFile: Sendable {
    /// The path of the file.
    package let path: String

    /// Returns the stored data; `nil` if the file does not exist or is malformed.
    package func load() -> WarmStartData? {
        guard let bytes = RegularFile.contents(path) else { return nil }
        return try? WarmStartData(toml: String(decoding: bytes, as: UTF8.self))  // as if absent
    }

    /// Replaces the file atomically.
    package func store(_ data: WarmStartData) throws(DeviceError) {
        try StateFile.write(data.toml, to: path)
    }
}

extension SynchronizedTime {
    /// The time of the system's clock; `nil` while the clock is not synchronised.
    package static var now: SynchronizedTime? {
        guard let error = ClockSynchronization.maximumError, let time = SystemClock.now else {
            return nil
        }
        return SynchronizedTime(time, maximumError: error)
    }
}
