// SPDX-License-Identifier: MIT
import GPSIO
import GPSTestSupport
import GPSTestTraits
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct DraftFileTests {
    /// Whether the file system of temporary folders supports unnamed files (`O_TMPFILE`).
    private static let hasUnnamedFiles: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        let descriptor = open(folder.path, O_DIRECTORY | 0o20_000_000 | O_WRONLY, 0o600)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }()

    @Test(.enabled(if: hasUnnamedFiles, "this file system has no files without names"))
    func `a draft has no name, so that a killed process leaves no file`() throws {
        let folder = try TemporaryFolder()
        let draft = try DraftFile(replacing: folder.path("a"))
        try draft.write(Array("new".utf8))
        #expect(folder.names == [])
        try draft.commit()
        #expect(folder.names == ["a"])
        #expect(try folder.bytes("a") == Array("new".utf8))
    }

    @Test func `a draft replaces a file on commit and keeps its mode`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a", Array("old".utf8))
        chmod(path, 0o640)
        do {
            let draft = try DraftFile(replacing: path)
            try draft.write(Array("new".utf8))
            #expect(try folder.bytes("a") == Array("old".utf8))
            try draft.commit()
        }
        #expect(try folder.bytes("a") == Array("new".utf8))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(folder.names == ["a"])
    }

    @Test func `a dangling link leads to the new file, and a link to itself is kept`() throws {
        let folder = try TemporaryFolder()
        let (link, loop) = (folder.path("link"), folder.path("loop"))
        try #require(symlink("new", link) == 0 && symlink("loop", loop) == 0)
        try DraftFile(replacing: link).commit()
        #expect(folder.names.sorted() == ["link", "loop", "new"])
        let failure = #expect(throws: DraftFile.Failure.self) { try DraftFile(replacing: loop) }
        #expect(failure?.errno == ELOOP)
    }

    @Test func `an abandoned draft leaves no file`() throws {
        let folder = try TemporaryFolder()
        _ = try DraftFile(replacing: folder.path("a"))
        #expect(folder.names == [])
    }
}

/// The folder for what programs remember.
@Suite(.timeLimit(.generous))
struct StateFolderTests {
    @Test(arguments: [
        (["STATE_DIRECTORY": "/a:/b", "XDG_STATE_HOME": "/x", "HOME": "/h"], "/a"),
        (["XDG_STATE_HOME": "/x", "HOME": "/h"], "/x/gpsbridge"),
        (["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/gpsbridge"),
        (["XDG_STATE_HOME": "x", "HOME": "h"], nil),
        ([:], nil),
    ])
    func `the path is the service's state folder, otherwise the user's`(
        environment: [String: String], path: String?
    ) {
        #expect(StateFolder.path(isRoot: false) { environment[$0] } == path)
    }

    @Test func `root has its own folder, unless the environment names one`() {
        func path(_ environment: [String: String], isRoot: Bool = true) -> String? {
            StateFolder.path(ofRoot: "/r", isRoot: isRoot) { environment[$0] }
        }
        #expect(path(["HOME": "/root"]) == "/r")
        #expect(path([:]) == "/r")
        #expect(path(["STATE_DIRECTORY": "/a"]) == "/a")
        #expect(path([:], isRoot: false) == nil)
    }
}
