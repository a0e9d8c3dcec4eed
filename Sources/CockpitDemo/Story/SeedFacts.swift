/// The bot's initial facts.
enum SeedFacts {
  struct PersonFact {
    var person: Person
    var guild: Guild
    var age: Int64
    var text: String
    var type: String
    var evidence: String?
    var confidence: Double
  }

  struct SharedFact {
    var guild: Guild
    var subject: String
    var age: Int64
    var text: String
    var type: String
    var evidence: String?
    var confidence: Double
  }

  static let people: [PersonFact] = [
    fact(
      Cast.nadia, Cast.ridge, 40, "Nadia prefers early starts and is off the ridge by noon.",
      "preference", "i like being done before lunch", 0.9),
    fact(
      Cast.nadia, Cast.ridge, 12, "Nadia is training for the 60 km north ridge loop.",
      "project", "signed up for the loop!!", 0.86),
    fact(
      Cast.nadia, Cast.ridge, 3, "Nadia lent her red rope to tomasz.", "relationship",
      "tomasz still has my red rope", 0.71),
    fact(
      Cast.tomasz, Cast.ridge, 33, "tomasz counts pack weight in grams, including cheese.",
      "behavioral", "the cheese is load-bearing", 0.8),
    fact(
      Cast.tomasz, Cast.ridge, 9, "tomasz is building an ultralight stove from a can.",
      "project", "stove v3 doesn't explode", 0.83),
    fact(
      Cast.hana, Cast.bakery, 25, "花 Hana bakes shokupan every Sunday.", "profile",
      "日曜日はいつも食パン", 0.88),
    fact(
      Cast.hana, Cast.bakery, 6, "花 Hana は返信を日本語で読みたい。", "preference",
      "日本語でお願い", 0.92),
    fact(
      Cast.dov, Cast.bakery, 21, "דב כהן writes in Hebrew and English in the same sentence.",
      "behavioral", nil, 0.64),
    fact(
      Cast.dov, Cast.bakery, 4, "Dov is allergic to sesame.", "profile",
      "no sesame for me please, ever", 0.97),
    fact(
      Cast.rosalind, Cast.bakery, 18, "Rosalind keeps two rye starters named Ada and Grace.",
      "profile", "ada is the lively one", 0.9),
    fact(
      Cast.rosalind, Cast.bakery, 2, "Rosalind wants grams, never cups.", "guidance",
      "cups are a rumour", 0.93),
    fact(
      Cast.kofi, Cast.arcade, 30, "kofi.b is restoring a 1987 handheld console.", "project",
      "the handheld boots!", 0.87),
    fact(
      Cast.kofi, Cast.arcade, 7, "kofi.b has a cat called Ohm who sleeps in tents.", "profile",
      "ohm took over the tent again", 0.9),
    fact(
      Cast.wren, Cast.ridge, 15, "wren drives a blue van with room for six packs.", "profile",
      "the van fits six packs", 0.82),
    fact(
      Cast.wren, Cast.ridge, 5, "Use she or they for wren.", "guidance", "she/they is great",
      0.98),
    fact(
      Cast.yusuf, Cast.arcade, 14, "Yusuf_Ö is learning to solder and apologises to the parts.",
      "behavioral", "sorry little resistor", 0.77),
    fact(
      Cast.yusuf, Cast.arcade, 1, "Yusuf_Ö finished the shift-register kit.", "project",
      "it blinks!!!", 0.85),
  ]

  static let shared: [SharedFact] = [
    shared(
      Cast.ridge, "__lore__", 60, "Thursday is weigh-in day; the heaviest pack buys cocoa.",
      "other", "heaviest pack pays", 0.84),
    shared(
      Cast.ridge, "__lore__", 20, "The saddle turnaround time is 13:30, no heroics.",
      "guidance", "one thirty, no heroics", 0.91),
    shared(
      Cast.ridge, "__lore__", 8, "Always forgotten: headtorch batteries, pot lid, one spoon.",
      "other", "we forgot the lid AGAIN", 0.8),
    shared(
      Cast.ridge, "__self__", 44, "I am made of a toaster, two radios and patience.", "profile",
      nil, 0.7),
    shared(
      Cast.bakery, "__lore__", 50, "A loaf with a flat top is called a Tuesday.", "other",
      "that one is a proper tuesday", 0.79),
    shared(
      Cast.bakery, "__lore__", 11, "Oven times are given for a home oven at 230 °C.",
      "guidance", "assume a home oven", 0.9),
    shared(
      Cast.bakery, "__self__", 16, "I promised never to recommend the microwave.",
      "behavioral", nil, 0.66),
    shared(
      Cast.arcade, "__lore__", 35, "The lost 10 mm socket is presumed to rule the bench.",
      "other", "it watches us", 0.6),
    shared(
      Cast.arcade, "__lore__", 10, "Build logs get one photo per step.", "guidance",
      "one photo per step please", 0.88),
    shared(
      Cast.arcade, "__self__", 13, "I narrate the Minecraft server, but never during raids.",
      "behavioral", nil, 0.72),
  ]

  static let owner: [(age: Int64, text: String, type: String)] = [
    (30, "The monthly model budget is 40 dollars; warn at 30.", "guidance"),
    (19, "The backup of the bot host runs on Sunday at 04:00.", "project"),
    (5, "Nadia plans to move the bot to the small server in spring.", "project"),
  ]

  private static func fact(
    _ person: Person, _ guild: Guild, _ age: Int64, _ text: String, _ type: String,
    _ evidence: String?, _ confidence: Double
  ) -> PersonFact {
    PersonFact(
      person: person, guild: guild, age: age, text: text, type: type, evidence: evidence,
      confidence: confidence)
  }

  private static func shared(
    _ guild: Guild, _ subject: String, _ age: Int64, _ text: String, _ type: String,
    _ evidence: String?, _ confidence: Double
  ) -> SharedFact {
    SharedFact(
      guild: guild, subject: subject, age: age, text: text, type: type, evidence: evidence,
      confidence: confidence)
  }
}
