// SPDX-License-Identifier: MIT
import GNSS
import GPSViews

extension LiveReceiver {
    /// The plot of the last hour as SVG, as `convert --plot` draws it. Drawing takes some time.
    var sheet: [UInt8] {
        let (fixes, views) = (history.fixes, views)
        var plot = Plot()
        plot.begin(name, origin)
        var rest = views[...]
        for recent in fixes {
            guard !Task.isCancelled else { return [] }
            if recent.beginsSegment { plot.endSegment() }
            plot.didReceive(fix: recent.fix, satellites: SatelliteView())
            while let view = rest.first, view.time?.unixNanoseconds ?? 0 <= recent.time {
                plot.didReceive(satellites: view)
                rest.removeFirst()
            }
        }
        for view in rest { plot.didReceive(satellites: view) }
        return SVGImage.bytes(of: Sheet.draw(plot))
    }
}
