// SPDX-License-Identifier: MIT
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import SimulatedDevices
import Synchronization
import Testing

@Suite(.timeLimit(.generous))
struct NetworkSourcesTests {
    /// Sends epochs until the manager has delivered a location.
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

    @Test func `a server is read, and read again after an outage`() async throws {
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

    @Test func `a closed port is an error with a reason`() async throws {
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

    @Test func `gpsd is recognised, also if its greeting arrives in pieces`() async throws {
        let greeting = Array(#"{"class":"VERSION","release":"3.22"}"#.utf8)
        for pieces in [[greeting], greeting.map { [$0] }] {
            let server = try SimulatedServer(port: 0)
            let connection = try await TCPSource(host: "127.0.0.1", port: server.port).open()
            while server.clientCount == 0, !Task.isCancelled { await Task.yield() }
            let error = await #expect(throws: DeviceError.self) {
                for piece in pieces {
                    server.send(piece)
                    _ = try await connection.read(until: nil)
                }
            }
            #expect(error?.code == .gpsd)
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

    @Test func `a lookup of a host name ends immediately on cancellation`() async throws {
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
    func `datagrams are read, also after empty ones`(host: String?) async throws {
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

    @Test func `an empty datagram is not reported and does not change the deadline`() async throws {
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
        // By then the first deadline would have been reported again.
        for _ in 0..<20 {
            _ = await Poller.shared.sleep(until: .now + .milliseconds(1))
        }
        Self.send([0x78], by: sender, to: 0x7F00_0001, port)
        try await reading.value
        #expect(taken.all == [.silence, .bytes([0x78])])
    }

    @Test func `simultaneous fixes of several receivers are reported before satellite lists`()
        async throws
    {
        let poller = Poller()
        defer { poller.stop() }
        let ports = [try Self.freePort(), try Self.freePort()]
        let sources = ports.map { Self.datagrams(to: $0, poller) }
        let (delivered, subscriptions) = await Self.join(sources, poller)
        let sender = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
        defer { close(sender) }
        let wanted = ["fix", "fix", "list", "list"]
        // On a busy machine one datagram may arrive after the poll; then the next second is used.
        for second in 0..<100 where second < 6 || delivered.all.suffix(4) != wanted {
            // Both have arrived when the thread polls.
            await withTaskExecutorPreference(poller) {
                let bytes = ScriptedReceiver.epoch(second) + Self.list
                for port in ports { Self.send(bytes, by: sender, to: 0x7F00_0001, port) }
            }
            _ = await delivered.first(4 * (second + 1))
        }
        #expect(delivered.all.suffix(4) == wanted)
        withExtendedLifetime(subscriptions) {}
    }

    @Test func `with several receivers, everything that a server sends at once is received`()
        async throws
    {
        let poller = Poller()
        defer { poller.stop() }
        let server = try SimulatedServer(port: 0)
        let others = try (0..<2).map { _ in Self.datagrams(to: try Self.freePort(), poller) }
        let (_, otherSubscriptions) = await Self.join(others, poller)
        var source = TCPSource(host: "127.0.0.1", port: server.port)
        source.poller = poller
        let (delivered, subscriptions) = await Self.join([source], poller)
        while server.clientCount == 0, !Task.isCancelled { await Task.yield() }
        for second in 0..<8 {
            server.send(ScriptedReceiver.epoch(second) + Self.list)
            _ = await delivered.first(2 * (second + 1))
        }
        #expect(delivered.all.count { $0 == "list" } == 8)
        withExtendedLifetime((subscriptions, otherSubscriptions)) {}
    }

    /// A list of one satellite.
    private static let list = Array("$GPGSV,1,1,01,05,40,100,30*4B\r\n".utf8)

    private static func datagrams(to port: UInt16, _ poller: Poller) -> UDPSource {
        var source = UDPSource(host: "127.0.0.1", port: port)
        source.poller = poller
        return source
    }

    /// Records the fixes and lists of sources; all sources are open when this returns.
    private static func join(
        _ sources: [some DeviceSource], _ poller: Poller
    ) async -> (delivered: Witness<String>, subscriptions: [ScopedSubscription]) {
        let (opened, delivered) = (Witness<Bool>(), Witness<String>())
        let pool = ReceiverPool(poller: poller)
        let subscriptions = sources.map { source in
            pool.join(source) { update in
                if update.openedDevice != nil { opened.note(true) }
                switch update {
                case .epoch: delivered.note("fix")
                case .satellites: delivered.note("list")
                default: break
                }
            }
        }
        _ = await opened.first(sources.count)
        return (delivered, subscriptions)
    }

    @Test func `datagrams to a group are received on every interface and by every process`()
        async throws
    {
        let port = try Self.freePort()
        let group = UDPSource(host: "239.255.71.83", port: port)
        let first = try await group.open()
        let second = try await group.open()
        // Not the interface that the system would choose, so that only this machine receives it.
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

    /// Below the ports that the system assigns to senders.
    private static let nextPort = Atomic(UInt16.random(in: 20_000..<30_000))

    /// A port that was just free, a different one at each call.
    private static func freePort() throws -> UInt16 {
        while true {
            let port = nextPort.add(1, ordering: .relaxed).oldValue
            let probe = socket(AF_INET, CInt(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
            defer { close(probe) }
            try #require(probe >= 0 && port < 32_768)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            if withAddress(&address, { bind(probe, $0, $1) }) == 0 { return port }
        }
    }

    private static func send(
        _ bytes: [UInt8], by fd: CInt, to host: UInt32, _ port: UInt16
    ) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        _ = withAddress(&address) { sendto(fd, bytes, bytes.count, 0, $0, $1) }
    }

    /// Calls `body` with an address as a C structure.
    private static func withAddress<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result? {
        withUnsafeBytes(of: &address) { raw in
            raw.baseAddress.map {
                body($0.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
            }
        }
    }
}
