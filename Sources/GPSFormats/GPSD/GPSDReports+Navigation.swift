// SPDX-License-Identifier: MIT
import GNSS

extension TextBuffer {
    /// Creates the text of the members `anchor` and `waypoint` of a `TPV`, each with a comma before
    /// it.
    init(navigation: Navigation) {
        self.init()
        if let anchor = navigation.anchor { append(text: ",\"anchor\":\(anchor.json)") }
        if let waypoint = navigation.waypoint { append(text: ",\"waypoint\":\(waypoint.json)") }
    }
}
