// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

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
