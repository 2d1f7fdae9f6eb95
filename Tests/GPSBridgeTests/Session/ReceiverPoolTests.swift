// SPDX-License-Identifier: MIT
import GPSBridge
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
        #expect(pool.session(for: .serial(tty)) === session)
        #expect(pool.session(for: .serial(folder.path("gps"))) === session)
    }

    @Test func `a tty that a link no longer points to belongs to another receiver`() throws {
        let folder = try TemporaryFolder()
        let (old, new) = (try folder.file("ttyUSB0", []), try folder.file("ttyUSB1", []))
        let link = folder.path("gps")
        symlink(old, link)
        let pool = ReceiverPool()
        let session = pool.session(for: .serial(link))
        unlink(link)
        #expect(pool.session(for: .serial(old)) !== session)
        symlink(new, link)
        #expect(pool.session(for: .serial(new)) === session)
        #expect(pool.session(for: .serial(old)) !== session)
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
