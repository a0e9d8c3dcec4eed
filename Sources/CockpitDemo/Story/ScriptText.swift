extension Script {
  /// Messages in text channels; they loop.
  static let text: [TextTurn] = [
    TextTurn(
      place: Place(Cast.bakery, "proofing"), speaker: Cast.rosalind,
      text: "clanky whats a good hydration for a first rye? i have 500 g of wholegrain",
      tools: [
        .search(
          "rye sourdough hydration beginner", ["Rye for beginners: start at 85 %", "Rye FAQ"])
      ],
      outcome: .reply(
        "start at 85 %: 425 g water for your 500 g. rye is sticky, not wrong. wet hands, short "
          + "mix, long rest 🍞")),
    TextTurn(
      place: Place(Cast.ridge, "campfire"), speaker: Cast.kofi,
      text: "anyway my cat has decided the tent is hers now", outcome: .skip("llm_skip"),
      direct: false),
    TextTurn(
      place: Place(Cast.ridge, "trip-plans"), speaker: Cast.wren,
      text: "clanky pls remember i'm driving on saturday and have 3 seats free",
      tools: [
        .remember(
          "wren is driving on Saturday and has three seats free.", "other",
          evidence: "i'm driving on saturday and have 3 seats free")
      ],
      outcome: .reply("got it: wren drives saturday, 3 seats. first three to shout get them."),
      failsFirst: true),
    TextTurn(
      place: Place(Cast.arcade, "build-log"), speaker: Cast.yusuf,
      text: "clanky draw me a boot screen: a tiny robot watering a bonsai, pixel art",
      tools: [.draw("tiny robot watering a bonsai, pixel art, 16 colours")],
      outcome: .reply("here you go. it waters itself out of pure optimism 🤖🌱")),
    TextTurn(
      place: Place(Cast.bakery, "crumb-shots"), speaker: Cast.hana,
      text: "今日の食パン、やっとうまく焼けた! 見て見て", outcome: .react("🔥"), direct: false),
    TextTurn(
      place: Place(Cast.ridge, "gear-bench"), speaker: Cast.tomasz,
      text: "clanky is a 30 year old down bag still warm or just nostalgic",
      tools: [.search("old down sleeping bag loft loss", ["Down ages slowly", "Measuring loft"])],
      outcome: .reply(
        "measure the loft: if it's under 8 cm it's nostalgia. wash it first though, half of that "
          + "is oil. (source: two gear nerds who agreed for once)")),
    TextTurn(
      place: Place(Cast.bakery, "lounge"), speaker: Cast.dov,
      text: "קלאנקי, איך אומרים crumb בעברית?",
      outcome: .reply(
        "פירור, if it falls off the table; לחמית, if you are writing poetry about it.")
    ),
    TextTurn(
      place: Place(Cast.arcade, "general"), speaker: Cast.kofi,
      text: "clanky react to this mess of wires", tools: [.gif("spaghetti wires chef kiss")],
      outcome: .message("cable management is a journey, and you have not packed")),
    TextTurn(
      place: Place(Cast.ridge, "campfire"), speaker: Cast.nadia,
      text: "clanky what were the three things we always forget?",
      tools: [.recall("things we always forget on trips", count: 3)],
      outcome: .reply("headtorch batteries, the pot lid, and tomasz's spoon.")),
    TextTurn(
      place: Place(Cast.arcade, "general"), speaker: Cast.wren,
      text: "clanky tl;dr this video https://video.example.org/watch?v=dq8fernpath",
      tools: [
        .video("https://video.example.org/watch?v=dq8fernpath", "Camp bread without an oven")
      ],
      outcome: .reply(
        "8 minutes in one line: flat dough, hot stone, lid of snow, patience. the dog eats the "
          + "first one.")),
    TextTurn(
      place: Place(Cast.ridge, "campfire"), speaker: Cast.rosalind,
      text: "good morning everybody 🐝🐝🐝", outcome: .skip("ambient_low_confidence"),
      direct: false),
    TextTurn(
      place: Place(Cast.bakery, "proofing"), speaker: Cast.hana,
      text: "clanky 湿度70%だと発酵時間どのくらい変わる?",
      outcome: .reply(
        "湿度より温度です。26 °C なら 5 時間前後、湿度は表面が乾かなければ大丈夫。")),
    TextTurn(
      place: Place(Cast.arcade, "build-log"), speaker: Cast.kofi,
      text: "clanky my display shows every second row twice, spi mode?",
      outcome: .reply(
        "row doubled = you're sending 8-bit rows to a 16-bit window. check `MADCTL` and the "
          + "column address set before you blame SPI mode.\n\n```c\nwrite_cmd(0x2A); "
          + "write16(0); write16(239);\n```")),
    TextTurn(
      place: Place(Cast.ridge, "trip-plans"), speaker: Cast.dov,
      text: "clanky if 4 people split a hut for 172,50 how much each",
      outcome: .reply("43.13 each, and whoever pays the extra two cents gets the top bunk.")),
  ]
}
