// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// The sources of the live page's token.
@Suite(.timeLimit(.generous))
struct HTTPTokenTests {
    private static let token = "0123456789abcdef"

    /// Returns the first lines of the page's responses to a request with a token and to one without.
    private func answers(
        _ variables: [String], _ words: [String]
    ) async throws -> (with: String?, without: String?) {
        let run = try await CommandRun(
            variables: variables,
            words: [
                "serve", "simulated", "--user", "root", "--listen", "127.0.0.1:0", "--http",
                "127.0.0.1:0",
            ] + words)
        let message = try #require(try await run.message(with: "the page at http://"))
        let port = try #require(
            message.split { $0 == ":" || $0 == "/" }.lazy.compactMap { UInt16($0) }.first)
        func ask(_ path: String) async throws -> String? {
            let client = try await CommandRun(
                "/usr/bin/env",
                words: [
                    "bash", "-c",
                    "exec 3<>/dev/tcp/127.0.0.1/\(port); printf 'GET \(path) HTTP/1.1\\r\\n"
                        + "Host: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3; cat <&3",
                ])
            return try await client.line()
        }
        let answers = (try await ask("/state?token=\(Self.token)"), try await ask("/state"))
        await run.end()
        return answers
    }

    @Test(arguments: ["", "\n", "\r\n"])
    func `the token is read from a file with or without a line end`(end: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("token", Array((Self.token + end).utf8))
        try #require(chmod(file, 0o600) == 0)
        let (with, without) = try await answers([], ["--http-token-file", file])
        #expect(with?.contains("200") == true)
        #expect(without?.contains("401") == true)
    }

    @Test func `the token is read from an environment variable`() async throws {
        let (with, without) = try await answers(["GPSBRIDGE_HTTP_TOKEN=\(Self.token)"], [])
        #expect(with?.contains("200") == true)
        #expect(without?.contains("401") == true)
    }

    @Test func `the token is read from systemd's credential`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("http-token", Array(Self.token.utf8))
        try #require(chmod(file, 0o400) == 0)
        let (with, without) = try await answers(["CREDENTIALS_DIRECTORY=\(folder.path)"], [])
        #expect(with?.contains("200") == true)
        #expect(without?.contains("401") == true)
    }

    @Test func `the page needs no token if the credentials contain none`() async throws {
        let folder = try TemporaryFolder()
        let (_, without) = try await answers(["CREDENTIALS_DIRECTORY=\(folder.path)"], [])
        #expect(without?.contains("200") == true)
    }

    /// The content of a token file, its mode, and a part of the message about it.
    @Test(arguments: [
        ("", 0o600, "token contains no token"), ("\n", 0o600, "token contains no token"),
        ("0123456789abcdef\n\n", 0o600, "contains no valid token"),
        ("0123456789 abcdef", 0o600, "contains no valid token"),
        ("short", 0o600, "12 or more of the characters"),
        (String(repeating: "x", count: 5000), 0o600, "it has more than 1024 bytes"),
        (token, 0o644, "run `chmod 600"), (token, 0o602, "run `chmod 600"),
        (token, 0o640, "run `chmod 600"), (token, 0o660, "run `chmod 600"),
    ])
    func `an unusable token file ends the server with a reason`(
        text: String, mode: mode_t, reason: String
    ) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("token", Array(text.utf8))
        try #require(chmod(file, mode) == 0)
        try await expectFailure([], ["--http-token-file", file], reason)
    }

    @Test func `a pipe as a token file ends the server`() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        try await expectFailure([], ["--http-token-file", pipe], "is not a regular file")
    }

    @Test func `a token that is missing or empty ends the server`() async throws {
        try await expectFailure([], ["--http-token-file", "/nonexistent/token"], "No such file")
        try await expectFailure(
            ["GPSBRIDGE_HTTP_TOKEN="], [], "GPSBRIDGE_HTTP_TOKEN contains no token")
    }

    @Test func `a token file without a page is a usage error`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("token", Array(Self.token.utf8))
        try #require(chmod(file, 0o600) == 0)
        let run = try await CommandRun(words: [
            "serve", "simulated", "--listen", "127.0.0.1:0", "--http-token-file", file,
        ])
        #expect(try await run.messages().last?.contains("needs --http") == true)
        #expect(await run.status() == 2)
    }

    private func expectFailure(
        _ variables: [String], _ words: [String], _ reason: String
    ) async throws {
        let run = try await CommandRun(
            variables: variables,
            words: ["serve", "simulated", "--listen", "127.0.0.1:0"] + words)
        let messages = try await run.messages()
        #expect(messages.last?.contains(reason) == true, "\(messages)")
        #expect(!messages.contains { $0.contains(Self.token) })
        #expect(await run.status() == 1)
    }
}
