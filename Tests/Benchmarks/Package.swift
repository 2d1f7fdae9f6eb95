// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
    name: "gpsbridge-benchmarks",
    products: [
        .executable(name: "gpsbridge-bench", targets: ["GPSBridgeBench"]),
        .executable(name: "delegation-bench", targets: ["DelegationBench"]),
    ],
    dependencies: [.package(name: "gpsbridge", path: "../..")],
    targets: [
        .target(name: "CMeter"),
        .executableTarget(
            name: "GPSBridgeBench",
            dependencies: [
                "CMeter",
                .product(name: "NMEA", package: "gpsbridge"),
                .product(name: "Outputs", package: "gpsbridge"),
                .product(name: "SimulatedDevices", package: "gpsbridge"),
            ]),
        .executableTarget(
            name: "DelegationBench",
            dependencies: ["CMeter", .product(name: "Delegation", package: "gpsbridge")]),
    ],
    swiftLanguageModes: [.v6]
)
