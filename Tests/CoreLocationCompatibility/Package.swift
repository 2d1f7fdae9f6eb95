// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// Programs as written for Apple's systems. Their sources do not mention gpsbridge.
///
/// `SWIFT_MODE=5 swift build` compiles them in the Swift 5 language mode.
let mode = Context.environment["SWIFT_MODE"] == "5" ? SwiftLanguageMode.v5 : .v6

let location: Target.Dependency = .product(
    name: "CoreLocation", package: "gpsbridge", condition: .when(platforms: [.linux]))

/// The settings of a program that is built with warnings as errors.
let settings: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let programs = [
    "RunLoopApp", "SubclassMock", "AsyncWrapper", "CommandLineTool", "ViewModel", "LiveUpdates",
    "WhenInUse",
]

let package = Package(
    name: "corelocation-programs",
    dependencies: [.package(name: "gpsbridge", path: "../..")],
    targets: programs.map { name in
        .executableTarget(name: name, dependencies: [location], swiftSettings: settings)
    } + [
        .executableTarget(
            name: "MainActorApp", dependencies: [location],
            swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
        // Subclasses of value classes cause a warning unless they repeat `@unchecked Sendable`.
        .executableTarget(name: "ValueMocks", dependencies: [location]),
        .target(name: "Geometry", dependencies: [location], swiftSettings: settings),
        .executableTarget(
            name: "GeometryProgram", dependencies: ["Geometry", location], swiftSettings: settings),
    ],
    swiftLanguageModes: [mode]
)
