// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Synchronization
import Testing

@Suite(.timeLimit(.generous))
struct FloodTests {
    @Test func `a flood of noise is reported, read slowly and delays no other session`()
        async throws
    {
        let (flooding, quiet) = (try PseudoTerminal(), try ScriptedReceiver())
        let flooded = LocationManager(source: .serial(flooding.path))
        let other = LocationManager(source: quiet.source)
        let errors = flooded.didFailWithError
        let locations = other.didUpdateLocations
        flooded.startUpdatingLocation()
        other.startUpdatingLocation()
        await quiet.waitForReader()
        await flooding.waitForReader()

        let isOver = Atomic(false)
        let started = MonotonicInstant.now
        async let sent: Int = {
            var random = SystemRandomNumberGenerator()
            let noise = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }
            var sent = 0
            while !isOver.load(ordering: .relaxed) {
                let count = await flooding.write(noise, until: .now + .seconds(1))
                sent += count
                // Without a reader there is nothing to wait for, and other tasks need this thread.
                if count == 0 {
                    _ = await Poller.shared.sleep(until: .now + .milliseconds(10))
                }
            }
            return sent
        }()
        // Each epoch is delivered before the next is sent.
        var iterator = locations.makeAsyncIterator()
        for second in 0..<50 {
            await quiet.sendEpoch(second)
            #expect(await iterator.next()?.first?.fix.time?.time.second == second)
        }
        // On a busy machine, the receiver may be silent before there is a flood.
        let flood = DeviceError(.flooded, device: flooding.path)
        for await error in errors {
            if error.cause == flood { break }
            #expect(error.code == .locationUnknown)
        }
        isOver.store(true, ordering: .relaxed)
        let (count, elapsed) = (await sent, started.duration(to: .now) / .seconds(1))
        // 13 kB and a chunk per tenth of a second, and the buffer of the pty.
        #expect(Double(count) < 180_000 * (elapsed + 1))
        withExtendedLifetime((flooded, other)) {}
    }

    @Test func `noise from a pipe is reported and read slowly`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let manager = LocationManager(source: .pipe(path))
        let errors = manager.didFailWithError
        let started = MonotonicInstant.now
        manager.startUpdatingLocation()
        let sending = Task {
            let writer = Descriptor(open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC))
            let noise = [UInt8](repeating: 0xFE, count: 4096)
            var sent = 0
            while !Task.isCancelled {
                sent += max(0, writer.use { write($0, noise, noise.count) } ?? 0)
                guard await writer.writable() == .ready else { break }
            }
            return sent
        }
        // On a busy machine, the receiver may be silent before there is a flood.
        let flood = DeviceError(.flooded, device: path)
        for await error in errors {
            if error.cause == flood { break }
            #expect(error.code == .locationUnknown)
        }
        sending.cancel()
        let (count, elapsed) = (await sending.value, started.duration(to: .now) / .seconds(1))
        // 13 kB and a chunk per tenth of a second, and the buffer of the pipe.
        #expect(Double(count) < 180_000 * (elapsed + 1))
        withExtendedLifetime(manager) {}
    }
}
