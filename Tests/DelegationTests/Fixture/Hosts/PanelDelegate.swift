// SPDX-License-Identifier: MIT

/// The delegate of the hosts in these tests: two notifications and a method with a result.
protocol PanelDelegate: AnyObject {
    var panelInterests: PanelInterests { get }

    func panel(_ panel: AnyObject, learned text: String)
    func panel(_ panel: AnyObject, picked index: Int)
    func panel(_ panel: AnyObject, heightAt index: Int) -> Double
}

extension PanelDelegate {
    var panelInterests: PanelInterests { .all }

    func panel(_ panel: AnyObject, learned text: String) {}
    func panel(_ panel: AnyObject, picked index: Int) {}
    func panel(_ panel: AnyObject, heightAt index: Int) -> Double { 1 }
}

struct PanelInterests: OptionSet, Sendable {
    let rawValue: UInt64

    static let learned = Self(rawValue: 1)
    static let picked = Self(rawValue: 2)
    static let height = Self(rawValue: 4)
    static let all: Self = [.learned, .picked, .height]
}
