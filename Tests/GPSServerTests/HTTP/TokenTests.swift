// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSServer
import GPSTestSupport
import Synchronization
import Testing

/// Access to a page that requires a token.
@Suite(.timeLimit(.generous))
struct TokenTests {
    private static let token = "0123456789abcdef"
    private static let bearer = "Authorization: Bearer \(token)\r\n"
    private static let cookie = "Cookie: gpsbridge-token=\(token)\r\n"

    @Test func `only clients with the token can read positions`() async throws {
        try await Self.serve { server, _ in
            for path in ["/", "/state", "/events", "/api/fixes", "/app.js", "/state?token=wrong"] {
                #expect(try await server.get(path)[0].contains("401"), "\(path)")
            }
            #expect(try await server.get("/health")[0].contains("503"))
            #expect(try await server.get("/state", Self.bearer)[0].contains("200"))
            let path = "/state?token=\(Self.token)"
            #expect(try await server.get(path)[0].contains("200"))
            // A browser continues with a cookie, so that the token is removed from the address.
            let first = try await server.get("/?token=\(Self.token)")
            #expect(first[0].contains("303"))
            let set = try #require(first.first { $0.hasPrefix("Set-Cookie: ") })
            #expect(set.contains("HttpOnly") && set.contains("SameSite=Lax"))
            let cookie = set.dropFirst("Set-Cookie: ".count).prefix { $0 != ";" }
            let page = try await server.get("/", "Cookie: a=b; \(cookie)\r\n")
            #expect(page[0].contains("200"))
        }
    }

    /// Arguments and headers, and whether they are sufficient.
    @Test(arguments: [
        ("", "Authorization: bearer \(token)\r\n", true),
        ("", "Authorization: BEARER  \(token)\r\n", true),
        ("", "Authorization: Bearer\r\n", false), ("", "Authorization: Basic \(token)\r\n", false),
        ("", "Authorization: \(token)\r\n", false), ("?token=", "", false),
        ("?token=wrong", cookie, true), ("?token=wrong", bearer, true),
        ("?token=\(token)", "Authorization: Bearer wrong\r\n", true),
        ("", cookie + "Authorization: Basic dTpw\r\n", true),
        ("", "Cookie: gpsbridge-token=wrong; gpsbridge-token=\(token)\r\n", true),
        ("?token=wrong", "Cookie: gpsbridge-token=wrong\r\n", false),
        ("", "Cookie: gpsbridge-token=\(token)x\r\n", false),
    ])
    func `one valid token among several is enough`(
        argument: String, header: String, isEnough: Bool
    ) async throws {
        try await Self.serve { server, _ in
            let answer = try await server.get("/state\(argument)", header)
            #expect(answer[0].contains(isEnough ? "200" : "401"))
        }
    }

    @Test func `a client with a wrong token is logged, one without a token is not`() async throws {
        try await Self.serve { server, log in
            #expect(try await server.get("/state")[0].contains("401"))
            #expect(!log.all.contains { $0.contains("token") })
            // After a minute, the address would be logged again, but the clock stands still.
            let clients = try (0..<3).map { _ in try server.request("/state?token=wrong") }
            for client in clients { #expect(await client.line()?.contains("401") == true) }
            #expect(log.all.filter { $0.contains("token") } == ["wrong token from 127.0.0.1"])
            let page = try await server.get("/metrics?token=\(Self.token)")
            #expect(page.contains("gpsbridge_tokens_rejected_total 3"))
        }
    }

    @Test func `each address is logged once a minute with the number of its attempts`() {
        let log = Witness<String>()
        let now = Mutex(MonotonicInstant.now)
        let tokens = WrongTokens(now: { now.withLock { $0 } }) { log.note($0) }
        for _ in 0..<100 { tokens.note("a") }
        tokens.note("b")
        now.withLock { $0 = $0 + .seconds(60) }
        tokens.note("b")
        tokens.note("a")
        tokens.note("a")
        #expect(
            log.all == [
                "wrong token from a", "wrong token from b", "wrong token from b",
                "wrong token from a, 100 times",
            ])
        #expect(tokens.count == 104)
    }

    @Test func `many addresses are logged together`() {
        let log = Witness<String>()
        let now = Mutex(MonotonicInstant.now)
        let tokens = WrongTokens(now: { now.withLock { $0 } }) { log.note($0) }
        for address in 0..<10_000 { tokens.note("\(address)") }
        #expect(log.all.count == 65)
        #expect(log.all.last == "wrong token from other addresses")
        now.withLock { $0 = $0 + .seconds(61) }
        tokens.note("another")
        #expect(log.all.last == "wrong token from another")
    }

    @Test func `metrics without the token do not reveal the receiver's motion`() async throws {
        let receiver = try ScriptedReceiver()
        try await ReceiverServer.serve([receiver], Self.configuration) { server, _ in
            let client = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            #expect(await client.ask("?WATCH={\"json\":true}", for: "WATCH") != nil)
            for second in 0..<3 { await receiver.sendEpoch(second) }
            // The values of a fix are stored after its report was sent, and before the next report.
            for _ in 0..<2 { #expect(await client.line(with: "TPV") != nil) }
            let names = ["gpsbridge_altitude_meters", "gpsbridge_speed_meters_per_second"]
            let open = try await server.get("/metrics")
            let complete = try await server.get("/metrics", Self.bearer)
            for name in names {
                #expect(!open.contains { $0.contains(name) }, "\(name)")
                #expect(complete.contains { $0.hasPrefix(name) }, "\(name)")
            }
            #expect(open[0].contains("200"))
            #expect(open.contains { $0.hasPrefix("gpsbridge_fix_mode") })
            #expect(!open.contains { $0.contains("course_degrees") })
        }
    }

    @Test func `a token is long enough and needs no escaping in a URL`() {
        #expect(PageConfiguration.isToken("aZ09-._~aZ09"))
        #expect(!PageConfiguration.isToken("short"))
        #expect(!PageConfiguration.isToken("with a blank inside"))
        #expect(!PageConfiguration.isToken("ümlautümlaut"))
    }

    private static var configuration: ServerConfiguration {
        var configuration = ServerConfiguration.local
        configuration.http = [.loopback(port: 0)]
        configuration.page.token = token
        return configuration
    }

    private static func serve(
        _ body: (ReceiverServer, Witness<String>) async throws -> Void
    ) async throws {
        let log = Witness<String>()
        let server = try ReceiverServer(
            sources: [], configuration: configuration, pool: ReceiverPool(poller: .standing),
            messages: MessageLog { text, _ in log.note(text) })
        try await server.whileRunning { try await body($0, log) }
    }
}
