// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// Fixes and satellites that were not decoded from sentences.
extension ConversionSink {
    mutating func add(_ fix: Fix) {
        if wantsSentences {
            var writer = SentenceWriter()
            writer.write(fix, used: addedView?.used ?? SatelliteIDSet())
            write(sentences: writer.bytes)
        }
        let view = addedView ?? SatelliteView()
        let count = fixCount
        var copy = fix
        didReceive(fix: &copy, satellites: view)
        // Dilutions that no list of satellites has come with.
        if addedView == nil, fixCount > count { format.writeDilution(of: fix) }
        addedView = nil
    }

    mutating func add(_ view: SatelliteView) {
        if wantsSentences {
            var writer = SentenceWriter()
            writer.write(view)
            write(sentences: writer.bytes)
        }
        didReceive(satellites: view)
        addedView = view
    }

    private mutating func write(sentences bytes: [UInt8]) {
        var framer = Framer()
        framer.push(bytes.span) { event in
            if case .sentence(let sentence) = event { format.add(sentence) }
        }
    }
}
