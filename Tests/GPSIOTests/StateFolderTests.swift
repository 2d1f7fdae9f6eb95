// SPDX-License-Identifier: MIT
import GPSIO
import GPSTestTraits
import Testing

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
