// SPDX-License-Identifier: MIT

/// A property that counts its owner among the living; takes no space in release builds.
struct LiveToken: ~Copyable, Sendable {
    #if DEBUG
        private let kind: LiveCounts.Kind
        private let counts: LiveCounts

        init(_ kind: LiveCounts.Kind) {
            self.kind = kind
            counts = .current
            counts.change(kind, by: 1)
        }

        deinit {
            counts.change(kind, by: -1)
        }
    #else
        init(_ kind: LiveCounts.Kind) {}
    #endif
}
