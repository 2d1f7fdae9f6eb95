// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

/// Members of a fleet, read by a separate program.
@Suite(.timeLimit(.generous))
struct FleetSourceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A source with a script as its program. It waits for the program's first line without a
    /// limit, because on a busy machine seconds may pass before a shell writes it.
    private func source(_ script: String, readsCorrections: Bool = false) throws -> FleetSource {
        var source = FleetSource("nats://hub/f/b/r")
        source.poller = .standing
        source.readsCorrections = readsCorrections
        source.program = try folder.program("program", script)
        return source
    }

    private func text(_ input: DeviceInput) -> String {
        guard case .bytes(let bytes) = input else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(.timeLimit(.generous))
    func `has the name and the origin that the program reports, and its sentences`() async throws {
        let source = try source(
            """
            echo '{"class":"DEVICE","path":"nats://hub:4222/f/b/r","driver":"NMEA0183","subtype":"replay"}'
            echo '$GPGGA'
            exec sleep 1000
            """)
        let connection = try await source.open()
        #expect(connection.name == "nats://hub:4222/f/b/r (replay)")
        #expect(text(try await connection.read(until: nil)) == "$GPGGA\n")
        connection.close()
    }

    @Test func `the name of the receiver is not known before it is opened`() {
        #expect(!FleetSource("nats://hub/f").namesDevice)
    }

    @Test(.timeLimit(.generous))
    func `an error has the program's reason`() async throws {
        let source = try source(#"echo '{"class":"ERROR","message":"no server answers"}'"#)
        let error = await #expect(throws: DeviceError.self) {
            _ = try await source.open().read(until: nil)
        }
        #expect(error?.code == .unreachable)
        #expect("\(try #require(error))".contains("no server answers"))
    }

    @Test(.timeLimit(.generous))
    func `the name and the reason are read as JSON`() async throws {
        let named = try source(
            #"""
            printf '%s\n' '{"class":"DEVICE","path":"nats://\u0062\u00fcs/\ud83d\ude8c \"1\"","activated":{"path":"x"},"subtype":"a\/b"}'
            exec sleep 1000
            """#)
        let connection = try await named.open()
        #expect(connection.name == #"nats://büs/🚌 "1" (a/b)"#)
        connection.close()
        let failing = try source(
            #"printf '%s\n' '{"class":"ERROR","message":"\"GPS\": \u201cno\\n\u201d"}'"#)
        let error = await #expect(throws: DeviceError.self) {
            _ = try await failing.open().read(until: nil)
        }
        #expect("\(try #require(error))".contains(#""GPS": “no\n”"#))
    }

    @Test(.timeLimit(.generous))
    func `corrections are read as they are`() async throws {
        let source = try source(
            #"""
            [ "$*" = "read --format rtcm nats://hub/f/b/r" ] || exit 1
            printf '\323{\n\000{"class":"ERROR"}\n'
            exec sleep 1000
            """#, readsCorrections: true)
        let connection = try await source.open()
        guard case .bytes(let bytes) = try await connection.read(until: nil) else { return }
        #expect(bytes == [0xD3, 0x7B, 0x0A, 0] + Array(#"{"class":"ERROR"}"#.utf8) + [0x0A])
        connection.close()
        #expect(source.identity != FleetSource("nats://hub/f/b/r").identity)
    }

    @Test(.timeLimit(.generous))
    func `without corrections, an error has the program's reason`() async throws {
        let source = try source(
            #"echo '{"class":"ERROR","message":"no server answers"}'"#, readsCorrections: true)
        let error = await #expect(throws: DeviceError.self) { try await source.open() }
        #expect("\(try #require(error))".contains("no server answers"))
    }

    @Test(.timeLimit(.generous))
    func `a missing program is an error`() async throws {
        var source = FleetSource("nats://hub")
        source.program = folder.path("nothing")
        await #expect(throws: DeviceError.self) { try await source.open() }
    }

    @Test(.timeLimit(.generous))
    func `closing ends the program and leaves no zombie`() async throws {
        let source = try source(
            """
            echo '$GPGGA'
            echo $$ >\(folder.path("id"))
            exec sleep 1000
            """)
        let connection = try await source.open()
        let path = folder.path("id")
        try await waitForFile(path) { $0.last == 0x0A }
        let id = try #require(
            pid_t(String(decoding: readFile(path).dropLast(), as: UTF8.self)))
        #expect(kill(id, 0) == 0)
        connection.close()
        while kill(id, 0) == 0 { await Task.yield() }
        #expect(errno == ESRCH)
    }
}
