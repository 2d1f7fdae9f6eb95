// SPDX-License-Identifier: MIT
import GNSS
import Glibc
import SimulatedDevices

/// The sentences to decode: from a file, or of a simulated receiver.
enum Mix {
    /// The bytes of a file; `nil` if it cannot be read.
    static func file(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        guard fseek(file, 0, SEEK_END) == 0 else { return nil }
        let size = ftell(file)
        guard size >= 0, fseek(file, 0, SEEK_SET) == 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = fread(buffer.baseAddress, 1, size, file)
        }
    }

    /// Returns at least `size` bytes of a simulated receiver, which are always the same.
    static func simulated(_ size: Int) -> [UInt8] {
        var configuration = SimulatedReceiver.Configuration()
        configuration.start = UTCTime(unixNanoseconds: 1_774_000_000_000_000_000)
        var receiver = SimulatedReceiver(configuration)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 4096)
        while bytes.count < size { bytes += receiver.next().bytes }
        return bytes
    }

    /// Returns the first lines, about `size` bytes.
    static func beginning(_ bytes: [UInt8], _ size: Int) -> [UInt8] {
        var end = min(size, bytes.count)
        while end < bytes.count, bytes[end - 1] != UInt8(ascii: "\n") { end += 1 }
        return Array(bytes[..<end])
    }
}
