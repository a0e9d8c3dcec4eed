/// The columns of the list of facts that fit; the text gets the rest. Drop order: scope, the bar,
/// type.
struct FactColumns: Hashable {
  var subject = 10
  var type = 0
  var confidence = 5
  var bar = 0
  var age = 5
  var scope = 0
  var text = 0

  init(width: Int) {
    if width >= 64 { subject = 13 }
    var rest = width - 2 - subject - 1 - confidence - age
    func take(_ columns: Int, _ least: Int) -> Int {
      guard rest - columns >= least else { return 0 }
      rest -= columns
      return columns
    }
    type = take(11, 16)
    bar = take(6, 26)
    scope = take(6, 34)
    subject += take(6, 34)
    text = max(0, rest - 1)
  }
}
