/// A row of a kind that is rare in daily life. The tour shows one at a time until all were seen.
struct TourStop: Sendable {
  var kind: String
  var place = Place.nowhere
  var user: Person?
  var hasMessage = false
  var content: DemoJSON?
  var metadata: DemoJSON?
  var cost: Double?
  var extra: DemoJSON = [:]
}
