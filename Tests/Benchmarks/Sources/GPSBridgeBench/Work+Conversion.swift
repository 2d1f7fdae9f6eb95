// SPDX-License-Identifier: MIT
import GPSFormats
import NMEA

extension Work {
    /// `gpsbridge convert --to json`, from bytes in memory to JSON that is discarded.
    static let conversion = Work(name: "convert --to json") { convert($0, to: GPSDFormat.self) }

    /// The same to GPX.
    static let track = Work(name: "convert --to gpx") { convert($0, to: GPXFormat.self) }

    private static func convert(_ bytes: [UInt8], to format: any OutputFormat.Type) -> Tally {
        var conversion = Conversion(to: format)
        conversion.begin(OutputSource(name: "mix"))
        let chunk = 1 << 16
        var written = 0
        var start = 0
        while start < bytes.count {
            let end = min(start + chunk, bytes.count)
            conversion.push(bytes.span.extracting(start..<end))
            conversion.drain { written += $0.count }
            start = end
        }
        conversion.end()
        conversion.drain { written += $0.count }
        return Tally(sentences: conversion.statistics.valid, written: written)
    }
}
