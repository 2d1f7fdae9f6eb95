// SPDX-License-Identifier: MIT

/// A user's delegate that wants everything except `picked`.
final class Mock: PanelDelegate, Sendable {
    let calls = Log<String>()
    let onInvoked: @Sendable () -> Void

    init(onInvoked: @escaping @Sendable () -> Void = {}) {
        self.onInvoked = onInvoked
    }

    var panelInterests: PanelInterests { [.learned, .height] }

    func panel(_ panel: AnyObject, learned text: String) {
        calls.append(text)
        onInvoked()
    }

    func panel(_ panel: AnyObject, heightAt index: Int) -> Double {
        calls.append("height \(index)")
        onInvoked()
        return 3
    }
}
