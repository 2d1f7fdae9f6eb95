// SPDX-License-Identifier: MIT
import CoreLocation
import Geometry

let start = LocationCoordinate2D(latitude: 48.2, longitude: 16.37)
let end = start.coordinate(at: 20, facing: 90)
let track = [start, end].map { CLLocation(latitude: $0.latitude, longitude: $0.longitude) }
precondition(abs(track.length - 20) < 0.2)
precondition(Set([start, end, start]).count == 2 && [start] == [start])
let data = try JSONEncoder().encode([start])
let back = try JSONDecoder().decode([CLLocationCoordinate2D].self, from: data)
precondition(back == [start])
precondition("\(CLAuthorizationStatus.authorizedAlways)" == "always")
precondition(CLLocationCoordinate2DIsValid(end))
precondition(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
precondition(BoundingBox(track)?.northEast.longitude == end.longitude)
print(end.latitude, end.longitude)
