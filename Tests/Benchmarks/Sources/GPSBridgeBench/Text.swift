// SPDX-License-Identifier: MIT
import Glibc

extension Double {
    /// Returns a number with some decimals, right-aligned in `width` columns.
    func fixed(_ decimals: Int, _ width: Int = 0) -> String {
        let scale = pow(10, Double(decimals))
        let scaled = (abs(self) * scale).rounded()
        guard scaled < 1e18 else { return String(self) }
        let whole = Int(scaled) / Int(scale)
        let rest = String(Int(scaled) % Int(scale))
        var text = (self < 0 ? "-" : "") + String(whole)
        if decimals > 0 {
            text += "." + String(repeating: "0", count: decimals - rest.count) + rest
        }
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

extension String {
    func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
