// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSServer
import GPSTestSupport
import Glibc
import Testing

/// Clients that send requests faster than they read replies.
@Suite(.timeLimit(.generous))
struct GPSDClientTests {
    private static let queueLimit = 64 * 1024

    @Test func `the memory for unread replies is limited, and no reply is lost`() async throws {
        let budget = OutputBudget()
        let requests = 1500
        try await Self.withClients(1, budget) { ends in
            let (replies, most) = await Self.exchange(requests, ends[0], budget)
            #expect(replies == requests)
            #expect(most <= Self.queueLimit)
        }
        #expect(budget.count == 0)
    }

    @Test func `all clients together stay within the server's memory limit`() async throws {
        let budget = OutputBudget(limit: 100_000)
        try await Self.withClients(8, budget) { ends in
            let exchanges = ends.map { end in Task { await Self.exchange(400, end, budget) } }
            for exchange in exchanges {
                let (replies, most) = await exchange.value
                #expect(replies == 400)
                // The client that exceeds it, and the short queues of the others.
                #expect(most <= 100_000 + Self.queueLimit + 8 * 33_000)
            }
        }
    }

    @Test func `each request has its own time limit of ten seconds`() async throws {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let (end, socket) = try TestClient.pair()
        let connection = ClientConnection(Descriptor(socket, poller: poller))
        let snapshot = ServerSnapshot(devices: [], time: nil)
        let client = Task(executorPreference: poller) {
            await GPSDClient(connection, hub: ReportHub()) { snapshot }.serve()
        }
        let start = poller.now
        end.send("?VERS")
        while poller.nextDeadline == nil { await Task.yield() }
        #expect(poller.nextDeadline == start + .seconds(10))
        clock.advance(by: .seconds(9))
        #expect(await end.line(with: "VERSION") != nil, "the greeting")
        #expect(await end.ask("ION;?DEVI", for: "VERSION") != nil)
        while poller.nextDeadline == nil { await Task.yield() }
        #expect(poller.nextDeadline == start + .seconds(19))
        clock.advance(by: .seconds(9))
        #expect(await end.ask("CES;", for: "DEVICES") != nil)
        end.close()
        await client.value
    }

    /// Sends POLL requests and reads the replies once they are queued; returns their number and the
    /// maximum that was queued for all clients.
    private static func exchange(
        _ count: Int, _ end: Descriptor, _ budget: OutputBudget
    ) async -> (replies: Int, most: Int) {
        let requests = Array(String(repeating: "?POLL;", count: count).utf8)
        let sent = end.use { send($0, requests, requests.count, CInt(MSG_NOSIGNAL)) }
        #expect(sent == requests.count)
        var (replies, most, rounds) = (0, 0, 0)
        // Waits until all replies are queued, before reading.
        while budget.count < queueLimit / 4 || rounds < 20_000 {
            rounds = budget.count > most ? 0 : rounds + 1
            most = max(most, budget.count)
            await Task.yield()
        }
        // VERSION, and DEVICES and WATCH for the first request.
        while replies < count + 3 {
            most = max(most, budget.count)
            guard case .bytes(let bytes) = await end.read(atMost: 65_536, until: nil) else { break }
            replies += bytes.count { $0 == 0x0A }
        }
        return (replies - 3, most)
    }

    /// Serves clients whose replies have 600 bytes; calls `body` with the clients' sockets.
    private static func withClients(
        _ count: Int, _ budget: OutputBudget, _ body: ([Descriptor]) async throws -> Void
    ) async throws {
        let time = UTCTime(unixNanoseconds: 1_774_269_319_000_000_000)
        var device = ServedDevice(path: "/dev/a")
        device.activated = time
        device.lastReports[.sky] = "{" + String(repeating: " ", count: 500) + "}"
        let snapshot = ServerSnapshot(devices: [device], time: time)
        let hub = ReportHub()
        var ends: [Descriptor] = []
        var clients: [Task<Void, Never>] = []
        for _ in 0..<count {
            var pair: [CInt] = [-1, -1]
            let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
            try #require(
                socketpair(AF_UNIX, kind | CInt(SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
            let connection = ClientConnection(
                Descriptor(pair[0]), queueLimit: queueLimit, budget: budget)
            let end = Descriptor(pair[1])
            _ = end.use { send($0, "?WATCH={\"enable\":true}", 22, CInt(MSG_NOSIGNAL)) }
            ends.append(end)
            clients.append(
                Task(executorPreference: Poller.shared) {
                    await GPSDClient(connection, hub: hub) { snapshot }.serve()
                })
        }
        try await body(ends)
        for end in ends { end.close() }
        for client in clients { await client.value }
    }
}
