// SPDX-License-Identifier: MIT

/// The places of labels, of which none lies on another.
struct LabelPlaces {
    private var taken: [Frame] = []

    /// Marks a frame as taken.
    mutating func take(_ frame: Frame) {
        taken.append(frame)
    }

    /// Takes a free place near a mark: beside it if possible, else farther away.
    ///
    /// Returns whether a line to the mark is needed; `nil` where all places are taken.
    mutating func find(
        near place: Point, width: Double, height: Double
    ) -> (frame: Frame, isFar: Bool)? {
        for (index, distance) in [7.0, 15, 24, 34].enumerated() {
            let slant = distance * 0.7
            let frames = [
                Frame(place.x + distance, place.y - height / 2, width, height),
                Frame(place.x - distance - width, place.y - height / 2, width, height),
                Frame(place.x - width / 2, place.y - distance - height, width, height),
                Frame(place.x - width / 2, place.y + distance, width, height),
                Frame(place.x + slant, place.y - slant - height, width, height),
                Frame(place.x - slant - width, place.y + slant, width, height),
                Frame(place.x + slant, place.y + slant, width, height),
                Frame(place.x - slant - width, place.y - slant - height, width, height),
            ]
            let free = frames.first { frame in !taken.contains { $0.meets(frame) } }
            guard let free else { continue }
            taken.append(free)
            return (free, index > 0)
        }
        return nil
    }
}

extension Frame {
    fileprivate func meets(_ other: Frame) -> Bool {
        x < other.right && other.x < right && y < other.bottom && other.y < bottom
    }
}
