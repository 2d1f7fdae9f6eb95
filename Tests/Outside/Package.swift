// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// Somebody else's package, which tests what it does with a receiver that is not there.
let package = Package(
    name: "tracker",
    dependencies: [.package(name: "gpsbridge", path: "../..")],
    targets: [
        .testTarget(
            name: "TrackerTests",
            dependencies: [
                .product(name: "GPSBridge", package: "gpsbridge"),
                .product(name: "SimulatedDevices", package: "gpsbridge"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
