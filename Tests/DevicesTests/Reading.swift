// SPDX-License-Identifier: MIT
import Devices

extension DeviceConnection {
    /// Reads until there are `count` bytes, or until the end.
    func collect(_ count: Int = .max) async throws -> [UInt8] {
        var all: [UInt8] = []
        while all.count < count {
            guard case .bytes(let bytes) = try await read(until: nil) else { break }
            all += bytes
        }
        return all
    }

    /// The error that the next read throws.
    func failure() async -> DeviceError? {
        do {
            _ = try await read(until: nil)
            return nil
        } catch {
            return error
        }
    }
}

extension DeviceSource {
    /// The error that opening throws.
    func failure() async -> DeviceError? {
        do {
            _ = try await open()
            return nil
        } catch {
            return error
        }
    }
}

extension ContinuousClock.Instant {
    /// A moment that far from now.
    static func after(_ duration: Duration) -> Self { ContinuousClock.now.advanced(by: duration) }
}
