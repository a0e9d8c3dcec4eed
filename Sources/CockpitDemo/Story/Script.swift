/// The dialogue. All of it is invented.
enum Script {
  static let screenNotes = [
    [
      "Nadia's screen shows a topo map with a red route around the north shoulder.",
      "She zooms into the ford at kilometre 11; the water gauge says 0.9 m and falling.",
      "A second tab has the hut booking: four bunks left for Saturday.",
      "Back on the map: the route is being dragged a little further east, off the scree.",
      "The distance now reads 14.2 km with 910 m of climb.",
      "A weather chart covers half of the screen; rain from 15:00.",
      "She writes \"turn round 13:30\" into the notes column and underlines it.",
    ],
    [
      "tomasz has a spreadsheet of tent weights open; two rows are highlighted.",
      "He changed the stove from 380 g to 95 g and the total turned green.",
    ],
    [
      "A KiCad board is open; one trace runs straight through the mounting hole.",
      "The trace moved. The ground pour is rebuilding.",
    ],
    [
      "A photo of a loaf cut in half: open crumb at the top, dense line at the bottom.",
      "The proofing spreadsheet says 26 °C for 5 h 40 min.",
    ],
  ]

  /// Voice conversations per guild; they loop with variation.
  static func voice(_ guild: Guild) -> [VoiceTurn] {
    switch guild.id {
    case Cast.bakery.id: bakeryVoice
    case Cast.arcade.id: arcadeVoice
    default: ridgeVoice
    }
  }

  static let ridgeVoice: [VoiceTurn] = [
    VoiceTurn(
      speaker: Cast.nadia, text: "clanky, what's the weather doing on the north ridge saturday?",
      tools: [
        .search(
          "north ridge weather saturday",
          ["North Ridge forecast: dry until 15:00", "Avalanche bulletin: low", "Hut webcam"])
      ],
      reply: "Dry until three, then showers from the west. If you start before eight you'll be "
        + "off the ridge before it matters."),
    VoiceTurn(
      speaker: Cast.nadia, text: "clanky can you have a look at my screen, is that ford passable?",
      tools: [.watch(Cast.nadia)],
      reply: "Looking. The gauge says ninety centimetres and falling, so knees, not hips. I'd "
        + "still take poles."),
    VoiceTurn(
      speaker: Cast.tomasz, text: "told you, early start. i'll bring the small stove this time",
      reply: nil, target: "Nadia Vale"),
    VoiceTurn(
      speaker: Cast.tomasz, text: "clanky put on something quiet while we pack",
      tools: [.play("quiet packing music lofi")],
      reply: "Something quiet, coming up. Fold on the beat."),
    VoiceTurn(
      speaker: Cast.nadia,
      text: "and remember that i'm vegetarian when we plan the hut dinner please",
      tools: [
        .note("Hut dinner: Nadia is vegetarian", "preference"),
        .remember(
          "Nadia is vegetarian; plan hut dinners accordingly.", "preference",
          evidence: "remember that i'm vegetarian when we plan the hut dinner"),
      ],
      reply: "Noted. Lentils it is, and I will deny ever having suggested the sausage."),
    VoiceTurn(
      speaker: Cast.tomasz, text: "what did we say the turnaround time was last trip?",
      tools: [.recall("turnaround time last trip", count: 2)],
      reply: "One thirty at the saddle, whatever the view. You said, and I quote, no heroics. And "
        + "then you added something about the cheese that I was asked to forget.",
      disturbance: .interruption(
        .init(person: Cast.nadia, text: "hang on clanky, one thirty or half past two?"),
        reply: "One thirty. Half past two was the year before, and you remember how that went.")),
    VoiceTurn(
      speaker: Cast.nadia, text: "this song again, honestly", reply: nil, target: "tomasz",
      fate: .duringMusic),
    VoiceTurn(
      speaker: Cast.tomasz,
      text:
        "so my plan is we park at the lower lot because the upper one is closed till june, walk "
        + "the forest road to the bridge, have the first break there, then take the old path and "
        + "not the new one, and at the saddle we look at the clock and decide, does that sound "
        + "sane to you clanky",
      tools: [.note("Park at the lower lot; first break at the bridge; old path", "plan")],
      reply: "Sane, and better than last year. I have written it down in that order."),
    VoiceTurn(
      speaker: Cast.nadia, text: "mm hm the the", reply: nil, target: "ALL", fate: .mumbled),
    VoiceTurn(
      speaker: Cast.nadia, text: "ha. okay clanky give us a drum roll, tomasz is weighing his pack",
      tools: [.sound("drumroll")],
      reply: "Moment of truth, ladies and gentlemen. The scales are warm, the crowd is silent.",
      disturbance: .talkOver(.init(person: Cast.tomasz, text: "no pressure then"))),
    VoiceTurn(
      speaker: Cast.tomasz, text: "eleven point two kilos. that includes the cheese",
      reply: "Eleven two with cheese is a respectable number. The cheese is load-bearing.",
      fate: .stalled),
    VoiceTurn(
      speaker: Cast.nadia, text: "check the sensor at the hut, is it freezing up there at night?",
      tools: [.mcp("weather-station", "read_sensor", ms: 3400, error: "Unable to connect.")],
      reply: "The hut sensor isn't answering right now. The webcam shows frost on the bench, so "
        + "I'd pack the warm bag.",
      overlap: .init(person: Cast.tomasz, text: "it's always freezing up there, bring socks")),
    VoiceTurn(
      speaker: Cast.tomasz, text: "clanky when is the next meetup in the notes?",
      tools: [.mcp("trail-notes", "next_event", ms: 640)],
      reply: "Thursday, seven in the evening, at the climbing café. Bring the rope you borrowed."),
    VoiceTurn(
      speaker: Cast.nadia, text: "he means the rope i never gave back",
      reply: nil, target: "tomasz"),
    VoiceTurn(
      speaker: Cast.nadia, text: "put on rain sounds clanky", tools: [.offer("rain sounds")],
      reply: "I found three kinds of rain. Slow, slower, or on a tent?"),
    VoiceTurn(
      speaker: Cast.nadia, text: "the second one", tools: [.choose(2)],
      reply: "Slower rain, next in the queue.", target: "ALL"),
    VoiceTurn(speaker: Cast.tomasz, text: "(a zipper)", reply: nil, fate: .silent),
    VoiceTurn(
      speaker: Cast.tomasz, text: "clanky do i really need two stoves",
      reply: "You need one stove and one friend with a stove.", fate: .mute),
    VoiceTurn(
      speaker: Cast.nadia, text: "clanky never mind, i was talking to the cat", reply: nil),
    VoiceTurn(
      speaker: Cast.tomasz, text: "hey clanky turn the music down a bit, actually pause it",
      reply: "Paused. Enjoy the sound of zippers."),
  ]

  static let bakeryVoice: [VoiceTurn] = [
    VoiceTurn(
      speaker: Cast.rosalind, text: "clanky my dough has been proofing five hours, is it done?",
      tools: [
        .search("overproofed dough poke test", ["The poke test, honestly", "Proofing by colour"])
      ],
      reply: "Poke it. If the dent comes back halfway in three seconds, it goes in the oven now."),
    VoiceTurn(
      speaker: Cast.dov, text: "קלאנקי, how do you say sourdough starter in japanese?",
      reply: "サワー種, sawā-dane. It even sounds bubbly."),
    VoiceTurn(
      speaker: Cast.rosalind, text: "play the oven ready sound, it's going in!",
      tools: [
        Tool(
          name: "play_soundboard", ms: 255, input: ["ref": "ding"], output: .null,
          error: "unknown_sound")
      ],
      reply: "I don't have that one, so: ding. Handmade."),
    VoiceTurn(
      speaker: Cast.dov, text: "clanky set a reminder for the fold in thirty minutes",
      tools: [
        Tool(
          name: "schedule_automation", ms: 320,
          input: ["title": "fold the dough", "when": "30m"],
          output: ["ok": true, "status": "active"])
      ],
      reply: "Thirty minutes. I will be annoying about it, and then I will be more annoying, and "
        + "then you will fold it.",
      disturbance: .interruption(
        .init(person: Cast.dov, text: "make it twenty five actually clanky"),
        reply: "Twenty five it is.")),
    VoiceTurn(
      speaker: Cast.rosalind, text: "clanky what time does the mill shop close today?",
      tools: [
        Tool(
          name: "browser_browse", ms: 5200,
          input: ["instruction": "find today's closing time of the mill shop"],
          output: ["ok": true, "status": "done", "resultTitles": ["Mill shop, opening hours"]]),
        .mcp("trail-notes", "next_event", ms: 410),
      ],
      reply: "Half past five, and they are out of spelt until Tuesday.",
      overlap: .init(person: Cast.dov, text: "they close at five i think")),
    VoiceTurn(
      speaker: Cast.rosalind, text: "花 would love this crumb, someone post a photo", reply: nil,
      target: "ALL"),
    VoiceTurn(
      speaker: Cast.dov, text: "remember that rosalind's oven runs twenty degrees hot",
      tools: [
        .remember(
          "Rosalind's oven runs about 20 degrees hot.", "profile",
          evidence: "rosalind's oven runs twenty degrees hot")
      ],
      reply: "Filed under dangerous appliances."),
  ]

  static let arcadeVoice: [VoiceTurn] = [
    VoiceTurn(
      speaker: Cast.kofi, text: "clanky what's the pinout of a seven four hc five nine five",
      tools: [
        .search("74HC595 pinout", ["74HC595 datasheet, page 3", "Shift registers explained"])
      ],
      reply: "Data on fourteen, latch twelve, clock eleven, clear ten tied high, and thirteen to "
        + "ground. Decouple it, please."),
    VoiceTurn(
      speaker: Cast.yusuf, text: "i think i soldered it upside down",
      reply: "Then it is a very small heater. Pin one is next to the notch."),
    VoiceTurn(
      speaker: Cast.kofi, text: "look at my screen clanky, does that trace look right?",
      tools: [.watch(Cast.kofi)],
      reply: "There's a trace running through your mounting hole. Bold, but no."),
    VoiceTurn(
      speaker: Cast.yusuf, text: "play that solder song again",
      tools: [.play("solder glow")], reply: "Flux on, lights down."),
    VoiceTurn(
      speaker: Cast.kofi, text: "yusuf pass the braid", reply: nil, target: "Yusuf_Ö"),
  ]
}
