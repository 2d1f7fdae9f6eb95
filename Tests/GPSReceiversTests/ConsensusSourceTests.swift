// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Testing

/// Recordings of a vote that wait for each other.
@Suite(.timeLimit(.generous))
struct ReplayGroupTests {
    /// A recording that is never there.
    private struct AbsentRecording: DeviceSource {
        struct Availability: DeviceAvailability {
            func next(until deadline: MonotonicInstant?) async {
                _ = await Poller.shared.sleep(until: .now + .seconds(30))
            }
        }

        let identity = SourceIdentity.unique()
        var name: String { "absent" }
        var origin: DataOrigin { .replay }

        func open() async throws(DeviceError) -> any DeviceConnection {
            throw DeviceError(.notFound, device: name)
        }

        func availability() -> (any DeviceAvailability)? { Availability() }
    }

    private let group = ReplayGroup([0, 1])

    /// A line of an epoch, a number of seconds after noon.
    private func line(_ second: Int) -> ArraySlice<UInt8> {
        ScriptedReceiver.epoch(second).prefix { $0 != 0x0A } + [0x0A]
    }

    @Test func `a recording does not wait for a recording whose lines no longer have times`() async
    {
        let (ahead, other) = (ReplayGroup.Member(0, of: group), ReplayGroup.Member(1, of: group))
        async let wait: Void = ahead.waitForOthers(at: line(5))
        await other.waitForOthers(at: line(0))
        for _ in 0..<200 { await other.waitForOthers(at: ArraySlice("# no time\r\n".utf8)) }
        await wait
        // Once it has times again, it is waited for.
        await other.waitForOthers(at: line(4))
        async let next: Void = ahead.waitForOthers(at: line(6))
        await other.waitForOthers(at: line(6))
        await next
    }

    @Test func `while a recording pauses the others continue, then it waits for them`() async {
        let (one, other) = (ReplayGroup.Member(0, of: group), ReplayGroup.Member(1, of: group))
        async let wait: Void = one.waitForOthers(at: line(0))
        await other.waitForOthers(at: line(0))
        await wait
        other.pause()
        for second in 1...20 { await one.waitForOthers(at: line(second)) }
        async let next: Void = other.waitForOthers(at: line(60))
        for second in 21...60 { await one.waitForOthers(at: line(second)) }
        await next
    }

    @Test func `a recording with more fixes a second keeps its pace between those of another one`()
        async
    {
        let (fast, slow) = (ReplayGroup.Member(0, of: group), ReplayGroup.Member(1, of: group))
        for second in stride(from: 0, through: 20, by: 10) {
            async let wait: Void = slow.waitForOthers(at: line(second))
            await fast.waitForOthers(at: line(second))
            await wait
        }
        // The slow one is at 20 and its next time is 30.
        for second in 21...29 { await fast.waitForOthers(at: line(second)) }
    }

    @Test func `recordings that are absent or read twice are not waited for`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.nmea", (0..<10).flatMap { ScriptedReceiver.epoch($0) })
        let twice = SharedRecording(FileSource(file, speed: 50))
        let source = ConsensusSource([
            .init(AbsentRecording()), .init(twice, name: "one"), .init(twice, name: "other"),
            .init(FileSource(file, speed: 50)),
        ])
        let epochs = Witness<ReceiverEpoch>()
        let pool = ReceiverPool()
        let subscription = pool.join(source) { update in
            if case .epoch(let epoch) = update { epochs.note(epoch) }
        }
        await epochs.wait { $0.fix.time?.time.second == 9 }
        withExtendedLifetime((pool, subscription)) {}
    }

    /// A recording with an identity, so that one session reads it for all.
    private struct SharedRecording: DeviceSource {
        let file: FileSource
        let identity = SourceIdentity.unique()

        init(_ file: FileSource) { self.file = file }

        var name: String { file.name }
        var origin: DataOrigin { file.origin }
        var replaySpeed: Double { file.replaySpeed }

        func open() async throws(DeviceError) -> any DeviceConnection { try await file.open() }
    }
}
