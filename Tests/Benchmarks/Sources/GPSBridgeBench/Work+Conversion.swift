// SPDX-License-Identifier: MIT
import NMEA
import Outputs

extension Work {
    /// `gpsbridge convert --to json`, from bytes in memory to JSON that nobody reads.
    static let conversion = Work(name: "convert --to json") { bytes in
        var conversion = Conversion(device: "mix")
        let chunk = 1 << 18
        var written = 0
        var start = 0
        while start < bytes.count {
            let end = min(start + chunk, bytes.count)
            conversion.push(bytes.span.extracting(start..<end))
            written += conversion.bytes.count
            conversion.removeAll()
            start = end
        }
        conversion.finish()
        written += conversion.bytes.count
        return Tally(sentences: conversion.statistics.valid, written: written)
    }
}
