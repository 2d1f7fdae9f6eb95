// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// A program with its own delegates and proxies, built with all combinations of settings.
let settings: [(name: String, settings: [SwiftSetting])] = [
    ("Swift5", [.swiftLanguageMode(.v5)]),
    ("Swift5Complete", [.swiftLanguageMode(.v5), .enableExperimentalFeature("StrictConcurrency")]),
    ("Swift6", [.swiftLanguageMode(.v6)]),
    ("Swift5MainActor", [.swiftLanguageMode(.v5), .defaultIsolation(MainActor.self)]),
    ("Swift6MainActor", [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]),
]

let package = Package(
    name: "delegates",
    dependencies: [.package(name: "gpsbridge", path: "../../..")],
    targets: settings.map { name, settings in
        .executableTarget(
            name: name, dependencies: [.product(name: "Delegation", package: "gpsbridge")],
            swiftSettings: settings + [.treatAllWarnings(as: .error)])
    }
)
