// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// Some benchmarks use declarations with `package` access, and are compiled as part of the package
/// that they measure. SwiftPM names a package by its folder.
let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last.map(String.init) ?? ""
let inside = folder.lowercased().map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }
let own: [SwiftSetting] = [.unsafeFlags(["-package-name", String(inside)])]

let package = Package(
    name: "gpsbridge-benchmarks",
    products: [
        .executable(name: "gpsbridge-bench", targets: ["GPSBridgeBench"]),
        .executable(name: "delegation-bench", targets: ["DelegationBench"]),
        .executable(name: "receivers-bench", targets: ["ReceiversBench"]),
        .executable(name: "corelocation-bench", targets: ["CoreLocationBench"]),
        .executable(name: "simulation-bench", targets: ["SimulationBench"]),
        .executable(name: "vote-bench", targets: ["VoteBench"]),
        .executable(name: "line-bench", targets: ["LineBench"]),
        .executable(name: "line-yardstick", targets: ["LineYardstick"]),
        .executable(name: "text-floor", targets: ["TextFloor"]),
    ],
    dependencies: [.package(name: "gpsbridge", path: "../..")],
    targets: [
        .target(name: "CMeter"),
        .executableTarget(name: "LineBench"),
        .executableTarget(name: "LineYardstick"),
        .executableTarget(name: "TextFloor"),
        .executableTarget(
            name: "GPSBridgeBench",
            dependencies: [
                "CMeter",
                .product(name: "NMEA", package: "gpsbridge"),
                .product(name: "GPSFormats", package: "gpsbridge"),
                .product(name: "SimulatedDevices", package: "gpsbridge"),
            ], packageAccess: false, swiftSettings: own),
        .executableTarget(
            name: "DelegationBench",
            dependencies: ["CMeter", .product(name: "Delegation", package: "gpsbridge")]),
        .executableTarget(
            name: "CoreLocationBench",
            dependencies: [
                .product(name: "CoreLocation", package: "gpsbridge"),
                .product(name: "GPSBridge", package: "gpsbridge"),
            ]),
        .executableTarget(
            name: "ReceiversBench",
            dependencies: [
                .product(name: "GPSBridge", package: "gpsbridge"),
                .product(name: "NMEA", package: "gpsbridge"),
            ], packageAccess: false, swiftSettings: own),
        .executableTarget(
            name: "SimulationBench",
            dependencies: [.product(name: "SimulatedDevices", package: "gpsbridge")]),
        .executableTarget(
            name: "VoteBench",
            dependencies: ["CMeter", .product(name: "GPSBridge", package: "gpsbridge")]),
    ],
    swiftLanguageModes: [.v6]
)
