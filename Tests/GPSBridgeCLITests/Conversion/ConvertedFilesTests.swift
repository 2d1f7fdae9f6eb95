// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import SimulatedDevices
import Testing

/// Other programs read the output of `convert`. Tests are skipped for programs that are not installed
/// (Debian: gpsbabel, libxml2-utils, gdal-bin; PyPI: fastkml, for its schemas).
@Suite(.serialized, .timeLimit(.generous))
struct ConvertedFilesTests {
    private static func find(_ program: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/"].map { $0 + program }.first { access($0, X_OK) == 0 }
    }

    private static let gpsbabel = find("gpsbabel")
    private static let xmllint = find("xmllint")
    private static let ogrinfo = find("ogrinfo")

    /// The schemas of OGC and Google if they are installed, for example by the Python package fastkml.
    private static let schema: String? = {
        if let path = getenv("GPSBRIDGE_KML_SCHEMA") { return String(cString: path) }
        var found = glob_t()
        defer { globfree(&found) }
        let pattern = "/usr/*/lib/python3*/*-packages/fastkml/schema/kml22gx.xsd"
        guard glob(pattern, 0, nil, &found) == 0, let path = found.gl_pathv[0] else { return nil }
        return String(cString: path)
    }()

    private let folder: TemporaryFolder
    private let capture: String

    init() throws {
        folder = try TemporaryFolder()
        let epochs = (0..<30).flatMap {
            ScriptedReceiver.epoch($0, latitude: 48 + Double($0) * 1e-4, longitude: -16.5)
        }
        capture = try folder.file("drive & <back>.nmea", epochs)
    }

    private func converted(_ format: String) async throws -> String {
        let path = folder.path("drive.\(format)")
        let run = try await CommandRun(words: ["convert", capture, "-t", format, "-o", path])
        #expect(try await run.messages() == [])
        try #require(await run.status() == 0)
        return path
    }

    @Test(
        .enabled(if: gpsbabel != nil, "gpsbabel is not installed"),
        arguments: [
            ("gpx", "gpx", 1.1e-6), ("kml", "kml", 1.1e-6), ("csv", "unicsv", 1.1e-6),
            // gpsbabel reads IGC's minutes with three decimals.
            ("tcx", "gtrnctr", 1.1e-6), ("fit", "garmin_fit", 1.1e-6), ("igc", "igc", 1.8e-5),
        ])
    func `gpsbabel reads every position, altitude and time`(
        _ format: String, _ kind: String, _ tolerance: Double
    ) async throws {
        let path = try await converted(format)
        let run = try await CommandRun(
            try #require(Self.gpsbabel),
            words: ["-t", "-i", kind, "-f", path, "-o", "unicsv", "-F", "-"])
        let lines = try await run.lines().map { $0.filter { $0 != "\r" } }
        let names = try #require(lines.first).split(separator: ",")
        let rows = lines.dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        try #require(rows.count == 30)
        func column(_ name: String) throws -> [String] {
            let index = try #require(names.firstIndex { $0 == name })
            return rows.map { $0.count > index ? String($0[index]) : "" }
        }
        let latitudes = try column("Latitude").compactMap { Double($0) }
        let isEqual = zip(latitudes, 0..<30).allSatisfy {
            abs($0 - 48 - Double($1) * 1e-4) < tolerance
        }
        #expect(isEqual)
        #expect(try column("Longitude").allSatisfy { $0 == "-16.500000" })
        #expect(try column("Altitude").allSatisfy { $0 == "171.0" })
        let times = try column("Time").prefix(3).map { $0.prefix(8) }
        #expect(times == ["12:00:00", "12:00:01", "12:00:02"])
        #expect(try column("Date").allSatisfy { $0 == "2026/03/21" })
    }

    @Test(
        .enabled(if: xmllint != nil, "xmllint is not installed"), arguments: ["gpx", "kml", "tcx"])
    func `xmllint accepts the output`(_ format: String) async throws {
        let path = try await converted(format)
        let run = try await CommandRun(try #require(Self.xmllint), words: ["--noout", path])
        #expect(try await run.messages() == [])
        #expect(await run.status() == 0)
    }

    @Test(.enabled(if: xmllint != nil && schema != nil, "xmllint or KML's schema is not installed"))
    func `KML is valid by the schemas of OGC and Google`() async throws {
        let path = try await converted("kml")
        let run = try await CommandRun(
            try #require(Self.xmllint),
            words: ["--nonet", "--noout", "--schema", try #require(Self.schema), path])
        #expect(try await run.messages() == ["\(path) validates"])
        #expect(await run.status() == 0)
    }

    @Test(
        .enabled(if: ogrinfo != nil, "ogrinfo is not installed"),
        arguments: [("gpx", 30), ("geojson", 30), ("geojsonseq", 30), ("csv", 30), ("kml", 1)])
    func `GDAL finds every feature`(_ format: String, _ count: Int) async throws {
        let path = try await converted(format)
        let run = try await CommandRun(
            try #require(Self.ogrinfo), words: ["-ro", "-so", "-al", path])
        let counts = try await run.lines().filter { $0.hasPrefix("Feature Count: ") }
        #expect(counts.contains("Feature Count: \(count)"))
        #expect(await run.status() == 0)
    }
}
