// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// Fixes and satellites from formats other than NMEA.
extension ConversionSink {
    mutating func add(_ fix: Fix, _ view: SatelliteView?) {
        if wantsSentences {
            var writer = SentenceWriter()
            writer.write(fix, used: view?.used ?? SatelliteIDSet())
            if let view { writer.write(view) }
            SentencesOfUBX.pass(writer.bytes) { format.add($0) }
        }
        didReceive(fix: fix, satellites: view ?? SatelliteView())
        if let view { didReceive(satellites: view) }
    }

    mutating func add(_ view: SatelliteView) {
        if wantsSentences {
            var writer = SentenceWriter()
            writer.write(view)
            SentencesOfUBX.pass(writer.bytes) { format.add($0) }
        }
        didReceive(satellites: view)
    }
}
