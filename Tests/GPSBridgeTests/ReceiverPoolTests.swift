// SPDX-License-Identifier: MIT
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct ReceiverPoolTests {
    @Test func `a link and its target are one receiver`() throws {
        let folder = try TemporaryFolder()
        let tty = try folder.file("ttyUSB0", [])
        symlink(tty, folder.path("gps"))
        let pool = ReceiverPool()
        let session = pool.session(for: .serial(folder.path("gps")))
        let updates = session.join { _ in }
        #expect(pool.session(for: .serial(tty)) === session)
        #expect(pool.session(for: .serial(folder.path("gps"))) === session)
        withExtendedLifetime(updates) {}
    }

    @Test func `a session that is not in use keeps its name and its baud rate to itself`() throws {
        let folder = try TemporaryFolder()
        let tty = try folder.file("ttyUSB0", [])
        symlink(tty, folder.path("gps"))
        let pool = ReceiverPool()
        let session = pool.session(for: .serial(tty, baudRate: .default))
        #expect(pool.session(for: .serial(tty, baudRate: .default)) === session)
        #expect(pool.session(for: .serial(tty)) !== session)
        #expect(pool.session(for: .serial(folder.path("gps"), baudRate: .default)) !== session)
    }

    @Test func `a closed pseudo terminal has ended, because the kernel reuses its number`()
        async throws
    {
        let terminal = try PseudoTerminal()
        let pool = ReceiverPool()
        let source = SerialSource(terminal.path, baudRate: .default)
        let session = pool.session(for: source)
        let updates = Witness<ReceiverUpdate>()
        let subscription = session.join { updates.note($0) }
        await updates.wait { $0.openedDevice != nil }
        terminal.close()
        await updates.wait { if case .condition(.ended, _) = $0 { true } else { false } }
        #expect(session.hasEnded)
        #expect(pool.session(for: source) !== session)
        withExtendedLifetime(subscription) {}
    }

    @Test func `a tty that a link no longer points to belongs to another receiver`() throws {
        let folder = try TemporaryFolder()
        let (old, new) = (try folder.file("ttyUSB0", []), try folder.file("ttyUSB1", []))
        let link = folder.path("gps")
        symlink(old, link)
        let pool = ReceiverPool()
        let session = pool.session(for: .serial(link))
        let updates = session.join { _ in }
        unlink(link)
        #expect(pool.session(for: .serial(old)) !== session)
        symlink(new, link)
        #expect(pool.session(for: .serial(new)) === session)
        #expect(pool.session(for: .serial(old)) !== session)
        withExtendedLifetime(updates) {}
    }

    @Test func `a session keeps the tty that it has open if its link is replaced`() async throws {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        let (first, second) = (try PseudoTerminal(), try PseudoTerminal())
        symlink(first.path, link)
        let pool = ReceiverPool()
        let session = pool.session(for: SerialSource(link, baudRate: .default))
        let updates = Witness<ReceiverUpdate>()
        let subscription = session.join { updates.note($0) }
        await updates.wait { $0.openedDevice != nil }
        unlink(link)
        symlink(second.path, link)
        #expect(pool.session(for: SerialSource(second.path, baudRate: .default)) !== session)
        #expect(pool.session(for: SerialSource(link, baudRate: .default)) !== session)
        #expect(pool.session(for: SerialSource(first.path, baudRate: .default)) === session)
        withExtendedLifetime((subscription, first, second)) {}
    }

    @Test
    func `a link to a closed pseudo terminal does not open the next one with the same number`()
        async throws
    {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        var openings = 0
        // Other tests open terminals at the same time, so the number may need several attempts.
        for _ in 0..<50 {
            let terminal = try PseudoTerminal()
            unlink(link)
            symlink(terminal.path, link)
            let session = ReceiverPool().session(for: SerialSource(link, baudRate: .default))
            let (opened, successors) = (Witness<Bool>(), Witness<PseudoTerminal?>())
            let subscription = session.join { update in
                if update.openedDevice != nil { opened.note(true) }
                // At once, because any test may take the number.
                if case .condition(.lost, _) = update { successors.note(try? PseudoTerminal()) }
            }
            _ = await opened.first(1)
            let path = terminal.path
            terminal.close()
            let successor = try #require(await successors.first(1).first ?? nil)
            guard successor.path == path else { continue }
            // A test at the same time may open the number of its own closed terminal.
            if await successor.waitForReader(until: .after(.milliseconds(300))) {
                openings += 1
                guard openings < 3 else { break }
                continue
            }
            // A new link counts, even with the same target.
            unlink(link)
            symlink(path, link)
            #expect(await successor.waitForReader())
            withExtendedLifetime(subscription) {}
            return
        }
        Issue.record("\(openings) successors were opened; the others had another number")
    }

    @Test func `a session without members is released`() throws {
        let folder = try TemporaryFolder()
        let pool = ReceiverPool()
        let first = ObjectIdentifier(pool.session(for: .serial(folder.path("gps"))))
        let held = [pool.session(for: .serial(folder.path("a"))), pool.session(for: .serial("/b"))]
        #expect(pool.sessionCount == 2)
        withExtendedLifetime((first, held)) {}
    }
}
