// SPDX-License-Identifier: MIT
import CGPSCurl
import GNSS
import GPSIO
import Glibc
import Synchronization

/// An open connection to a caster.
protocol CasterConnection: Sendable {
    /// Waits for bytes, the end of the connection or the deadline.
    func read(until deadline: MonotonicInstant?) async -> NTRIPClient.Event
    /// Writes all bytes; returns the reason if that fails.
    func write(_ bytes: [UInt8], until deadline: MonotonicInstant) async -> String?
    func close()
}

/// A connection without encryption.
struct TCPCasterConnection: CasterConnection {
    private let descriptor: Descriptor

    init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    func read(until deadline: MonotonicInstant?) async -> NTRIPClient.Event {
        switch await descriptor.read(atMost: 65_536, until: deadline) {
        case .bytes(let bytes): .bytes(bytes)
        case .silence, .cancelled: .woke
        case .end, .hangup: .closed("the caster closed the connection")
        case .failed(let error): .closed(String(cString: strerror(error)))
        }
    }

    func write(_ bytes: [UInt8], until deadline: MonotonicInstant) async -> String? {
        let error = await descriptor.write(all: bytes, until: deadline)
        return error == 0 ? nil : String(cString: strerror(error))
    }

    func close() { descriptor.close() }
}

/// A connection that libcurl encrypts. It verifies the caster's certificate and name.
final class TLSCasterConnection: CasterConnection {
    // Safety: libcurl's handle is used only while the lock is held.
    private struct Handle: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
    }

    private static let limit = 65_536

    private let handle: Mutex<Handle?>
    /// The socket, which libcurl closes.
    private let descriptor: Descriptor

    private init(_ handle: Handle, poller: Poller) {
        self.handle = Mutex(handle)
        descriptor = Descriptor(ccurl_socket(handle.pointer), owned: false, poller: poller)
    }

    deinit { close() }

    static func open(
        _ address: NTRIPAddress, authorities: String?, poller: Poller
    ) async throws(CorrectionFailure) -> TLSCasterConnection {
        let url = "https://\(SocketAddress.text(address.host, address.port))"
        // libcurl looks up the name and connects without a way to wait.
        let handle = try await BackgroundExecutor.run { () throws(CorrectionFailure) in
            var failure: UnsafePointer<CChar>?
            guard let pointer = ccurl_connect(url, authorities, &failure) else {
                throw CorrectionFailure(failure.map { String(cString: $0) } ?? "no connection")
            }
            return Handle(pointer: pointer)
        }
        return TLSCasterConnection(handle, poller: poller)
    }

    func read(until deadline: MonotonicInstant?) async -> NTRIPClient.Event {
        var room = [UInt8](repeating: 0, count: Self.limit)
        while true {
            // libcurl may hold bytes that the socket no longer has.
            let (count, failure) = use { ccurl_receive($0, &room, Self.limit, &$1) }
            if count > 0 { return .bytes(Array(room.prefix(count))) }
            if count == 0 { return .closed("the caster closed the connection") }
            if let failure { return .closed(failure) }
            switch await descriptor.readable(until: deadline) {
            case .ready, .hungUp: break
            case .timedOut, .cancelled: return .woke
            case .closed: return .closed("the connection has been closed")
            case .failed(let error): return .closed(String(cString: strerror(error)))
            }
        }
    }

    func write(_ bytes: [UInt8], until deadline: MonotonicInstant) async -> String? {
        var rest = bytes
        while !rest.isEmpty {
            let (count, failure) = use { [rest] in ccurl_send($0, rest, rest.count, &$1) }
            if let failure { return failure }
            rest.removeFirst(max(0, count))
            guard !rest.isEmpty, count < 0 else { continue }
            guard await descriptor.writable(until: deadline) == .ready else {
                return String(cString: strerror(ETIMEDOUT))
            }
        }
        return nil
    }

    /// Calls a function of libcurl. Returns its result, and the reason of a failure.
    private func use(
        _ body: (UnsafeMutableRawPointer, inout UnsafePointer<CChar>?) -> Int
    ) -> (count: Int, failure: String?) {
        handle.withLock { handle in
            guard let handle else { return (-2, "the connection has been closed") }
            var failure: UnsafePointer<CChar>?
            let count = body(handle.pointer, &failure)
            return (count, failure.map { String(cString: $0) })
        }
    }

    func close() {
        descriptor.close()
        handle.withLock { handle in
            if let open = exchange(&handle, with: nil) { ccurl_close(open.pointer) }
        }
    }
}
