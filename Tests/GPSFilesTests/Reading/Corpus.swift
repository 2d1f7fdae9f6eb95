// SPDX-License-Identifier: MIT
import GPSIO
import GPSTestTraits
import Glibc

/// Receivers' sentences: the fixtures of this package, and recordings that are not part of it.
enum Corpus {
    /// The folder of the recordings, from the environment or beside the package.
    private static let recordings: String = {
        getenv("GPSBRIDGE_CORPUS").map { String(cString: $0) }
            ?? PackageFile.folder + "/../shared/corpus/gpsd"
    }()

    /// The paths of the fixtures.
    static let fixtures = paths(in: PackageFile.folder + "/Tests/Fixtures/Receivers", ".nmea")
    /// The paths of the recordings; may be empty.
    static let captures = paths(in: recordings, ".log")

    private static func paths(in folder: String, _ end: String) -> [String] {
        Folder.names(in: folder).filter { $0.hasSuffix(end) }.map { folder + "/" + $0 }.sorted()
    }
}
