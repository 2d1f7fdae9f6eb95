// SPDX-License-Identifier: MIT

extension Array {
    /// Returns the number of elements for which `isBefore` is `true`, by binary search. In the
    /// array, these elements must come before all others.
    @inlinable package func sortedPrefixCount(where isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
