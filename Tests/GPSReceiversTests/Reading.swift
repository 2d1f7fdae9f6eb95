// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

extension DeviceConnection {
    /// Reads `count` bytes, or up to the end.
    func collect(_ count: Int = .max) async throws -> [UInt8] {
        var all: [UInt8] = []
        while all.count < count {
            guard case .bytes(let bytes) = try await read(until: nil) else { break }
            all += bytes
        }
        return all
    }

    /// Returns the error that the next read throws.
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
    /// Opens the source; returns the error as a value.
    func attempt() async -> Result<any DeviceConnection, DeviceError> {
        do {
            return .success(try await open())
        } catch {
            return .failure(error)
        }
    }

    /// Returns the error that opening throws.
    func failure() async -> DeviceError? {
        if case .failure(let error) = await attempt() { error } else { nil }
    }
}
