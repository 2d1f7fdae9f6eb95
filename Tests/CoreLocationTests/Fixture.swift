// SPDX-License-Identifier: MIT
import CoreLocation
import Foundation
import GPSTestSupport
import GPSTestTraits
import Testing

/// A delegate that records its calls.
final class RecordingDelegate: NSObject, CLLocationManagerDelegate, Sendable {
    enum Call: Equatable {
        case locations([CLLocation])
        case failure(CLError)
        case authorization(CLAuthorizationStatus)
        case heading(Double)
        case started(String)
        case entered(String)
        case exited(String)
        case state(CLRegionState, String)
        case monitoringFailed(String?, CLError.Code?)
    }

    let calls = Witness<Call>()

    var locations: [CLLocation] {
        calls.all.flatMap { call -> [CLLocation] in
            if case .locations(let locations) = call { locations } else { [] }
        }
    }

    /// Waits for a number of locations.
    func locations(_ count: Int) async -> [CLLocation] {
        var seen = 0
        await calls.wait { call in
            if case .locations(let locations) = call { seen += locations.count }
            return seen >= count
        }
        return Array(locations.prefix(count))
    }

    /// Waits for the first failure.
    func failure() async -> CLError? {
        var error: CLError?
        await calls.wait { call in
            if case .failure(let failure) = call { error = failure }
            return error != nil
        }
        return error
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        calls.note(.locations(locations))
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        if let error = error as? CLError { calls.note(.failure(error)) }
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        calls.note(.authorization(manager.authorizationStatus))
    }

    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        calls.note(.heading(newHeading.trueHeading))
    }

    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        calls.note(.started(region.identifier))
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        calls.note(.entered(region.identifier))
    }

    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        calls.note(.exited(region.identifier))
    }

    func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {
        calls.note(.state(state, region.identifier))
    }

    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    ) {
        calls.note(.monitoringFailed(region?.identifier, (error as? CLError)?.code))
    }
}

extension RecordingDelegate {
    /// Creates the delegate of a manager.
    convenience init(of manager: CLLocationManager) {
        self.init()
        manager.delegate = self
    }
}

extension ScriptedReceiver {
    /// A receiver, a manager that reads it, and its delegate.
    static func managed() throws -> (
        receiver: ScriptedReceiver, manager: CLLocationManager, delegate: RecordingDelegate
    ) {
        let receiver = try ScriptedReceiver()
        let manager = CLLocationManager(source: receiver.source)
        return (receiver, manager, RecordingDelegate(of: manager))
    }
}

/// A delegate that records failures of features that do not exist on Linux.
final class RangingDelegate: NSObject, CLLocationManagerDelegate, Sendable {
    let codes = Witness<CLError.Code?>()

    func locationManager(
        _ manager: CLLocationManager, didFailRangingFor: CLBeaconIdentityConstraint,
        error: any Error
    ) {
        codes.note((error as? CLError)?.code)
    }

    func locationManager(
        _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
    ) {
        codes.note((error as? CLError)?.code)
    }
}

/// The public declarations of a module that this test uses, as the compiler lists them.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { let identifier: String }
        let kind: Kind
        let pathComponents: [String]
    }

    let symbols: [Symbol]

    static let types: Set = [
        "swift.class", "swift.struct", "swift.enum", "swift.protocol", "swift.typealias",
    ]

    /// The folder of the package.
    static let package = URL(filePath: PackageFile.folder)

    init(of module: String) throws {
        let folder = try TemporaryFolder()
        try Self.extract(module, to: folder.path)
        try self.init(URL(filePath: folder.path("\(module).symbols.json")))
    }

    private init(_ file: URL) throws {
        self = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
    }

    /// Returns the types of a module, and of the modules that it exports, that are not nested in
    /// others.
    static func topLevelTypes(of module: String) throws -> Set<String> {
        let folder = try TemporaryFolder()
        try extract(module, to: folder.path)
        let files = try FileManager.default.contentsOfDirectory(
            at: URL(filePath: folder.path), includingPropertiesForKeys: nil)
        return try files.reduce(into: []) { names, file in
            for symbol in try SymbolGraph(file).symbols
            where types.contains(symbol.kind.identifier) && symbol.pathComponents.count == 1 {
                names.insert(symbol.pathComponents[0])
            }
        }
    }

    /// Runs the compiler to write the symbol graph of a module.
    private static func extract(_ module: String, to folder: String) throws {
        let products = try URL(filePath: #require(CommandLine.arguments.first))
            .resolvingSymlinksInPath().deletingLastPathComponent()
        let manager = FileManager.default
        func contents(_ folder: URL) throws -> [URL] {
            try manager.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        }
        let sources = try contents(package.appending(path: "Sources/System/C"))
        let maps = try (sources + contents(products))
            .filter { $0.lastPathComponent.hasPrefix("CGPS") }
            .map { $0.appending(path: "module.modulemap") }
            .filter { manager.fileExists(atPath: $0.path) }
        let headers = sources.map { $0.appending(path: "include") }
            .filter { manager.fileExists(atPath: $0.path) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                "swift", "symbolgraph-extract", "-module-name", module,
                "-I", products.appending(path: "Modules").path,
                "-target", "\(architecture)-unknown-linux-gnu", "-output-dir", folder,
                "-minimum-access-level", "public", "-skip-synthesized-members",
            ]
            + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
            + headers.flatMap { ["-Xcc", "-I\($0.path)"] }
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private static var architecture: String {
        #if arch(arm64)
            "aarch64"
        #else
            "x86_64"
        #endif
    }
}
