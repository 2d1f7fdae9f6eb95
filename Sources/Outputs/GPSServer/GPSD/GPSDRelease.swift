// SPDX-License-Identifier: MIT
import Glibc

/// A release of gpsd, as the server states it in `VERSION`.
///
/// cgps and xgps compare it with their own: cgps of another release shows a warning and waits for
/// two to four seconds. A server speaks first, so it cannot know the client. Clients on the same
/// machine are of the release of its libgps.
package enum GPSDRelease: String, CaseIterable, Hashable, Sendable {
    case r3_22 = "3.22"
    case r3_23 = "3.23"
    case r3_23_1 = "3.23.1"
    case r3_24 = "3.24"
    case r3_25 = "3.25"
    case r3_26 = "3.26"
    case r3_26_1 = "3.26.1"
    case r3_27_5 = "3.27.5"

    /// The release for clients of other machines: Debian 13's, the newest one whose protocol still has
    /// the major version 3, which other programs compare.
    package static let usual = GPSDRelease.r3_25

    /// The version of the protocol. Since 3.27.4 it is that of the C interface.
    var protocolVersion: (major: Int, minor: Int) {
        switch self {
        case .r3_22, .r3_23, .r3_23_1: (3, 14)
        case .r3_24, .r3_25, .r3_26, .r3_26_1: (3, 15)
        case .r3_27_5: (16, 1)
        }
    }

    /// The versions of libgps and their releases, the newest first.
    private static let libraries: [(version: Int, release: GPSDRelease)] = [
        (32, .r3_27_5), (31, .r3_26_1), (30, .r3_25), (29, .r3_23_1), (28, .r3_22),
    ]

    /// The release of the newest libgps in some folders; `nil` if there is none.
    package static func installed(in folders: [String] = libraryFolders) -> GPSDRelease? {
        libraries.first { library in
            folders.contains { access("\($0)/libgps.so.\(library.version)", F_OK) == 0 }
        }?.release
    }

    /// The folders in which distributions have their libraries.
    package static let libraryFolders: [String] = {
        #if arch(x86_64)
            let triplet = "x86_64-linux-gnu"
        #elseif arch(arm64)
            let triplet = "aarch64-linux-gnu"
        #else
            let triplet = "arm-linux-gnueabihf"
        #endif
        return ["/usr/lib/\(triplet)", "/usr/lib64", "/usr/lib", "/usr/local/lib"]
    }()
}
