// SPDX-License-Identifier: MIT
import GPSBridge
import GPSReceivers
import GPSTestSupport
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct LiveUpdatesTests {
    @Test func `the first consumer opens the receiver and the last one closes it`() async throws {
        let receiver = try ScriptedReceiver()
        let updates = Location.liveUpdates(source: receiver.source)
        #expect(!receiver.hasReader)
        let one = Task { await seconds(of: updates, until: 3) }
        let two = Task { await seconds(of: updates, until: 6) }
        await receiver.waitForReader()
        await receiver.sendEpochs {
            #expect(await one.value.last ?? 0 >= 3)
            #expect(await two.value.last ?? 0 >= 6)
        }
        await receiver.waitUntilUnread()
        #expect(!receiver.hasReader)
    }

    @Test func `cancelling the task ends the updates and closes the receiver`() async throws {
        let receiver = try ScriptedReceiver()
        let source = receiver.source
        let task = Task {
            for await _ in Location.liveUpdates(source: source) {}
        }
        await receiver.waitForReader()
        task.cancel()
        await task.value
        await receiver.waitUntilUnread()
        #expect(!receiver.hasReader)
    }

    @Test func `losing and finding the fix are updates`() async throws {
        let receiver = try ScriptedReceiver()
        let source = receiver.source
        let task = Task {
            var seen: [Bool] = []
            for await update in Location.liveUpdates(source: source) {
                if seen.last != update.isLocationUnavailable {
                    seen.append(update.isLocationUnavailable)
                }
                if seen.count == 3 { break }
            }
            return seen
        }
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        for second in 3..<6 { await receiver.sendEpoch(second, quality: .invalid) }
        for second in 6..<9 { await receiver.sendEpoch(second) }
        #expect(await task.value == [false, true, false])
    }

    @Test func `losing a receiver makes no location unavailable while another one has a fix`()
        async throws
    {
        let receivers = [try ScriptedReceiver(), try ScriptedReceiver()]
        let sources: [any DeviceSource] = receivers.map { $0.source }
        var updates = Location.liveUpdates(sources: sources).makeAsyncIterator()
        for receiver in receivers { await receiver.waitForReader() }
        let started = ContinuousClock.now
        for second in 0..<3 { await receivers[0].sendEpoch(second) }
        #expect(await updates.next()?.location != nil)
        // The session reports the loss to this manager after it has reported it to the updates.
        let other = LocationManager(source: sources[1])
        let (errors, changes) = (other.didFailWithError, other.didChangeAuthorization)
        other.startUpdatingLocation()
        for await status in changes where status == .authorizedAlways { break }
        receivers[1].unplug()
        for await _ in errors.prefix(1) {}
        // An update for the loss would precede this location.
        for second in 10..<12 { await receivers[0].sendEpoch(second) }
        var unavailable = 0
        while let update = await updates.next(), update.location?.fix.time?.time.second != 10 {
            unavailable += update.isLocationUnavailable ? 1 : 0
        }
        // On a busy machine, a pause of the other receiver may count as silence, after ten seconds.
        #expect(unavailable == 0 || started.duration(to: .now) >= .seconds(10))
        receivers[0].unplug()
        unavailable = 0
        while unavailable == 0, let update = await updates.next() {
            unavailable += update.isLocationUnavailable ? 1 : 0
        }
        #expect(unavailable == 1)
    }

    @Test func `updates end with the recording`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", (0..<5).flatMap { ScriptedReceiver.epoch($0) })
        let updates = Location.liveUpdates(source: .file(path, speed: .infinity))
        #expect(await seconds(of: updates, until: 60) == [0, 1, 2, 3, 4])
    }

    @Test func `updates end if a recording cannot be opened, after those of the others`()
        async throws
    {
        let folder = try TemporaryFolder()
        let missing = FileSource(folder.path("none"))
        var unavailable: [Bool] = []
        for await update in Location.liveUpdates(source: missing) {
            unavailable.append(update.isLocationUnavailable)
        }
        #expect(unavailable == [true])
        let path = try folder.file("track.nmea", (0..<5).flatMap { ScriptedReceiver.epoch($0) })
        let track = FileSource(path, speed: .infinity)
        let updates = Location.liveUpdates(sources: [missing, track])
        #expect(await seconds(of: updates, until: 60) == [0, 1, 2, 3, 4])
    }

    @Test func `a moving receiver is not stationary`() async throws {
        for await update in Location.liveUpdates(source: .simulated) {
            #expect(!update.isStationary)
            break
        }
    }

    private func seconds(of updates: LocationUpdates, until last: Int) async -> [Int] {
        var seconds: [Int] = []
        for await update in updates {
            guard let second = update.location?.fix.time?.time.second else { continue }
            seconds.append(second)
            if second >= last { break }
        }
        return seconds
    }
}
