import ArgumentParser

/// Options of every `facts` verb that sends requests.
struct FactsOptions: ParsableArguments {
  @OptionGroup var shared: SharedOptions

  @Flag(help: "The owner's private facts too; without it they are left out.")
  var ownerPrivate = false

  @Flag(help: "Refuse whatever changes something on the backend.")
  var readOnly = false
}

/// The number of a fact, as an argument.
struct FactID: ExpressibleByArgument {
  let value: Int

  init?(argument: String) {
    guard let value = Int(argument), value > 0 else { return nil }
    self.value = value
  }
}
