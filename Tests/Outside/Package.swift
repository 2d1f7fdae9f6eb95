// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// The settings with which a user's program may be built. The same program is built with each.
let settings: [(name: String, settings: [SwiftSetting])] = [
    ("Swift5", [.swiftLanguageMode(.v5)]),
    ("Swift5Complete", [.swiftLanguageMode(.v5), .enableExperimentalFeature("StrictConcurrency")]),
    ("Swift5MainActor", [.swiftLanguageMode(.v5), .defaultIsolation(MainActor.self)]),
    ("Swift6", [.swiftLanguageMode(.v6)]),
    ("Swift6MainActor", [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]),
]

let products: [Target.Dependency] = [
    .product(name: "GPSBridge", package: "gpsbridge"),
    .product(name: "SimulatedDevices", package: "gpsbridge"),
    .product(name: "Delegation", package: "gpsbridge"),
]

let allProducts: [Target.Dependency] =
    products
    + [
        "CoreLocation", "NMEA", "GPSConfiguration", "GPSFormats",
    ].map { .product(name: $0, package: "gpsbridge") }

/// The programs in README.md and docs/delegation.md, and the rows of its tables, which
/// `scripts/tests/outside` writes to `Pages`.
let pages = Context.environment["GPSBRIDGE_PAGES"]?.split(separator: " ").map(String.init) ?? []

/// Names that a user's targets may have, and that gpsbridge's targets must therefore not have.
/// `scripts/tests/outside` creates their folders.
let names = Context.environment["GPSBRIDGE_NAMES"]?.split(separator: " ").map(String.init) ?? []

/// A user's package: programs that follow a receiver, and tests without one.
let package = Package(
    name: "tracker",
    dependencies: [.package(name: "gpsbridge", path: "../..")],
    targets: settings.map { name, settings in
        .executableTarget(
            name: name, dependencies: products,
            swiftSettings: settings + [.treatAllWarnings(as: .error)])
    }
        + pages.map { name in
            .executableTarget(
                name: name, dependencies: products, path: "Pages/\(name)", sources: ["main.swift"],
                // The rows of tables do not use their results.
                swiftSettings: name.hasSuffix("Rows")
                    ? [.unsafeFlags(["-suppress-warnings"])] : [.treatAllWarnings(as: .error)])
        }
        + names.map { .target(name: $0, dependencies: products, path: "Names/\($0)") }
        + [
            .executableTarget(
                name: "AllProducts", dependencies: allProducts,
                swiftSettings: [.treatAllWarnings(as: .error)]),
            .testTarget(name: "TrackerTests", dependencies: products),
        ],
    swiftLanguageModes: [.v6]
)
