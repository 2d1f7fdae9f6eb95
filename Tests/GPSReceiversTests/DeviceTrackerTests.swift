// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct PathAvailabilityTests {
    @Test func `a receiver reconnects under the same link`() async throws {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        let source = SerialSource(link)
        let availability = try #require(source.availability())
        for round in 0..<20 {
            #expect(await source.failure()?.code == .notFound)
            async let plugged = plug(link)
            await availability.next(until: nil)
            let pty = try await plugged
            let connection = try await source.open()
            await pty.write([UInt8(round)])
            #expect(try await connection.collect(1) == [UInt8(round)])
            pty.close()
            #expect(await connection.failure()?.code == .disconnected)
        }
    }

    @Test func `a change before the call ends the wait`() async throws {
        let folder = try TemporaryFolder()
        let source = SerialSource(folder.path("gps"))
        let availability = try #require(source.availability())
        #expect(await source.failure()?.code == .notFound)
        let pty = try plug(folder.path("gps"))
        await availability.next(until: nil)
        withExtendedLifetime(pty) {}
    }

    @Test func `without inotify watches the device is retried at intervals`() async throws {
        let folder = try TemporaryFolder()
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        // A pipe cannot be watched, like inotify for a user without watches left.
        let (reader, writer) = try pipe(poller)
        for inotify in [reader, nil] {
            let availability = PathAvailability(
                folder.path("gps"), poller: poller, inotify: inotify)
            let waiting = Task { await availability.next(until: nil) }
            await until { poller.nextDeadline != nil }
            clock.advance(by: .seconds(2))
            await waiting.value
        }
        withExtendedLifetime(writer) {}
    }

    @Test func `without a polling thread the wait does not end at once`() async throws {
        let folder = try TemporaryFolder()
        let poller = Poller(failingWith: { EMFILE })
        let availability = PathAvailability(
            folder.path("gps"), poller: poller, inotify: Descriptor.inotify(poller: poller))
        let deadline = MonotonicInstant.after(.milliseconds(20))
        await availability.next(until: deadline)
        #expect(MonotonicInstant.now >= deadline)
    }

    @Test func `other names in the folder do not cause a retry`() async throws {
        let folder = try TemporaryFolder()
        let availability = try #require(SerialSource(folder.path("gps")).availability())
        let deadline = MonotonicInstant.after(.milliseconds(30))
        async let next: Void = availability.next(until: deadline)
        for number in 0..<10 { _ = try folder.file("gps\(number)", []) }
        await next
        #expect(MonotonicInstant.now >= deadline)
    }

    @Test func `missing folders may appear one by one and disappear again`() async throws {
        let folder = try TemporaryFolder()
        let outer = folder.path("serial")
        let inner = folder.path("serial/by-id")
        let source = SerialSource(inner + "/gps")
        let availability = try #require(source.availability())
        for _ in 0..<3 {
            async let plugged: PseudoTerminal = {
                mkdir(outer, 0o700)
                await Task.yield()
                mkdir(inner, 0o700)
                await Task.yield()
                return try plug(inner + "/gps")
            }()
            while await source.failure()?.code == .notFound { await availability.next(until: nil) }
            try await plugged.close()
            rmdir(inner)
            rmdir(outer)
        }
    }

    @Test func `the target of a link is also watched`() async throws {
        let folder = try TemporaryFolder()
        mkdir(folder.path("dev"), 0o700)
        symlink("dev/tty", folder.path("gps"))
        let availability = try #require(SerialSource(folder.path("gps")).availability())
        async let next: Void = availability.next(until: nil)
        symlink("/dev/null", folder.path("dev/tty"))
        await next
    }

    @Test func `a change of mode causes a retry`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("tty", [])
        let availability = try #require(SerialSource(path).availability())
        async let next: Void = availability.next(until: nil)
        chmod(path, 0o660)
        await next
    }

    @Test func `cancelling the task ends the wait`() async throws {
        let folder = try TemporaryFolder()
        let availability = try #require(SerialSource(folder.path("gps")).availability())
        let task = Task { await availability.next(until: nil) }
        task.cancel()
        await task.value
    }
}

private func plug(_ link: String) throws -> PseudoTerminal {
    try PseudoTerminal(link: link)
}

@Suite(.timeLimit(.generous))
struct TTYTreatmentTests {
    @Test func `a program that this process starts does not count as another reader`() async {
        // In a separate process, whose files no other process has open.
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let pty = try PseudoTerminal()
            let connection = try SerialSource(pty.path).connect()
            // Opening a pipe waits for its writer. Until both have one, the child does not run `true` yet
            // and has all files of this process open.
            let pipes = [folder.path("first"), folder.path("second")]
            for pipe in pipes { #expect(mkfifo(pipe, 0o600) == 0) }
            let child = Task(executorPreference: BackgroundExecutor.shared) {
                var actions = posix_spawn_file_actions_t()
                posix_spawn_file_actions_init(&actions)
                defer { posix_spawn_file_actions_destroy(&actions) }
                for (number, pipe) in pipes.enumerated() {
                    posix_spawn_file_actions_addopen(&actions, CInt(number), pipe, O_RDONLY, 0)
                }
                var id: pid_t = 0
                var arguments = [strdup("true"), nil]
                defer { free(arguments[0]) }
                #expect(posix_spawnp(&id, "true", &actions, nil, &arguments, environ) == 0)
                var status: CInt = 0
                while waitpid(id, &status, 0) < 0, errno == EINTR {}
                return status
            }
            let first = open(pipes[0], O_WRONLY | O_CLOEXEC)
            #expect(TTYStatus.otherReader(of: pty.path) == nil)
            let second = open(pipes[1], O_WRONLY | O_CLOEXEC)
            #expect(await child.value == 0)
            for pipe in [first, second] { close(pipe) }
            connection.close()
        }
    }
}
