// SPDX-License-Identifier: MIT
import Devices
import GPSBridge
import Glibc
import SimulatedDevices
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.generous))
struct NetworkSourcesTests {
    /// Says epochs until the manager has told a location.
    private func serve(_ manager: LocationManager, _ send: (Int) async throws -> Void) async throws
    {
        let stream = manager.didUpdateLocations
        let isDone = Atomic(false)
        async let first: Void = {
            for await _ in stream.prefix(1) {}
            isDone.store(true, ordering: .relaxed)
        }()
        manager.startUpdatingLocation()
        var second = 0
        while !isDone.load(ordering: .relaxed), !Task.isCancelled {
            try await send(second)
            second += 1
            _ = await Poller.shared.sleep(until: .now + .milliseconds(20))
        }
        await first
    }

    @Test func `a server is read, and found again after it was gone`() async throws {
        let server = try SimulatedServer(port: 0)
        let manager = LocationManager(source: .tcp(host: "127.0.0.1", port: server.port))
        let (paused, resumed) = (manager.didPauseLocationUpdates, manager.didResumeLocationUpdates)
        try await serve(manager) { server.send(ScriptedReceiver.epoch($0)) }
        #expect(manager.location?.device == "tcp://127.0.0.1:\(server.port)")
        server.unplug()
        for await _ in paused.prefix(1) {}
        for await _ in resumed.prefix(1) {}
        try await serve(manager) { server.send(ScriptedReceiver.epoch(1000 + $0)) }
    }

    @Test func `a closed port is refused with a reason`() async throws {
        let server = try SimulatedServer(port: 0)
        let port = server.port
        server.close()
        do throws(DeviceError) {
            _ = try await TCPSource(host: "127.0.0.1", port: port).open()
            Issue.record("it is open")
        } catch {
            #expect(error.code == .unreachable && error.errno == ECONNREFUSED)
            #expect(error.description.contains("tcp://127.0.0.1:\(port) cannot be reached"))
        }
    }

    @Test func `an unknown host is an error`() async throws {
        do throws(DeviceError) {
            _ = try await TCPSource(host: "no-such-host.invalid", port: 1).open()
            Issue.record("it is open")
        } catch {
            #expect(error.code == .hostUnknown)
        }
    }

    @Test func `asking for a host is given up at once`() async throws {
        let task = Task { () -> DeviceError? in
            do throws(DeviceError) {
                _ = try await TCPSource(host: "no-such-host.invalid", port: 1).open()
                return nil
            } catch {
                return error
            }
        }
        task.cancel()
        let code = try #require(await task.value?.code)
        #expect(code == .cancelled || code == .hostUnknown)
    }

    @Test(arguments: ["127.0.0.1", nil])
    func `datagrams are read, empty ones too`(host: String?) async throws {
        let port = try Self.freePort()
        let manager = LocationManager(source: .udp(host: host, port: port))
        let sender = try SimulatedDatagrams(host: "127.0.0.1", port: port)
        let empty = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
        defer { close(empty) }
        try await serve(manager) { second in
            Self.send([], by: empty, to: 0x7F00_0001, port)
            sender.send(ScriptedReceiver.epoch(second))
        }
        #expect(manager.location?.sourceInformation.source == "udp://\(host ?? ""):\(port)")
    }

    @Test func `an empty datagram is nothing, and changes no deadline`() async throws {
        let port = try Self.freePort()
        let source = try await UDPSource(host: "127.0.0.1", port: port).open()
        let connection = try #require(source as? any PolledConnection)
        let sender = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
        defer { close(sender) }
        let taken = Witness<DeviceInput>()
        let reading = Task {
            try await connection.read(until: .now) { input in
                taken.note(input)
                guard case .silence = input else { return .end }
                Self.send([], by: sender, to: 0x7F00_0001, port)
                return .again(until: nil)
            }
        }
        _ = await taken.first(1)
        // The deadline that there was first would be told again by now.
        for _ in 0..<20 {
            _ = await Poller.shared.sleep(until: .now + .milliseconds(1))
        }
        Self.send([0x78], by: sender, to: 0x7F00_0001, port)
        try await reading.value
        #expect(taken.all == [.silence, .bytes([0x78])])
    }

    @Test func `what is sent to a group is read on every interface, and by everybody`() async throws
    {
        let port = try Self.freePort()
        let group = UDPSource(host: "239.255.71.83", port: port)
        let first = try await group.open()
        let second = try await group.open()
        // Not the interface that the system would choose: nobody but this machine is to hear it.
        let sender = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
        defer { close(sender) }
        var loopback = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        let size = socklen_t(MemoryLayout<in_addr>.size)
        #expect(setsockopt(sender, CInt(IPPROTO_IP), IP_MULTICAST_IF, &loopback, size) == 0)
        let epoch = ScriptedReceiver.epoch(1)
        Self.send(epoch, by: sender, to: 0xEFFF_4753, port)
        #expect(try await first.read(until: nil) == .bytes(epoch))
        #expect(try await second.read(until: nil) == .bytes(epoch))
    }

    @Test func `a port in use is reported`() async throws {
        let port = try Self.freePort()
        let first = try await UDPSource(port: port).open()
        do throws(DeviceError) {
            _ = try await UDPSource(port: port).open()
            Issue.record("it is open")
        } catch {
            #expect(error.code == .busy)
        }
        withExtendedLifetime(first) {}
    }

    /// A port that was free a moment ago.
    private static func freePort() throws -> UInt16 {
        let server = try SimulatedServer(port: 0)
        defer { server.close() }
        return server.port
    }

    private static func send(
        _ bytes: [UInt8], by fd: CInt, to host: UInt32, _ port: UInt16
    ) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        withUnsafeBytes(of: &address) { raw in
            guard let pointer = raw.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
                return
            }
            sendto(fd, bytes, bytes.count, 0, pointer, socklen_t(raw.count))
        }
    }
}
