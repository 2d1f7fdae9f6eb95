// SPDX-License-Identifier: MIT

/// Where there is room for labels: none lies on another.
struct LabelPlaces {
    private var taken: [Frame] = []

    /// Takes note that something stands there.
    mutating func take(_ frame: Frame) {
        taken.append(frame)
    }

    /// Takes a free place beside a mark; `nil` where all of them are taken.
    mutating func find(near place: Point, width: Double, height: Double) -> Frame? {
        let places = [
            Frame(place.x + 7, place.y - height / 2, width, height),
            Frame(place.x - 7 - width, place.y - height / 2, width, height),
            Frame(place.x - width / 2, place.y - 7 - height, width, height),
            Frame(place.x - width / 2, place.y + 7, width, height),
            Frame(place.x + 4, place.y - 5 - height, width, height),
            Frame(place.x - 4 - width, place.y + 5, width, height),
        ]
        guard let free = places.first(where: { place in !taken.contains { $0.meets(place) } })
        else { return nil }
        taken.append(free)
        return free
    }
}

extension Frame {
    fileprivate func meets(_ other: Frame) -> Bool {
        x < other.right && other.x < right && y < other.bottom && other.y < bottom
    }
}
