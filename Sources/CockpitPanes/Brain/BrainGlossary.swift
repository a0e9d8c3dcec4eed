import TerminalCore

extension BrainPane {
  package var glossary: [GlossaryEntry] {
    [
      GlossaryEntry("1.2k>340", "tokens of the call: in > out"),
      GlossaryEntry("3t", "tools that the call asked for"),
      GlossaryEntry("72%", "share of the input that came from the cache"),
      GlossaryEntry("ch  ~tok", "characters, and tokens at four characters each"),
      GlossaryEntry("CONTEXT TIERS", "what the prompt was built from: + is in, - is out"),
      GlossaryEntry("critical path", "the steps that nothing else could overlap"),
      GlossaryEntry("together", "all steps on one line, each by its first letter"),
      GlossaryEntry("GEN 11/50", "turns given to the model, and the most it gets"),
      GlossaryEntry("TRACKED 7/8", "turns that the bot keeps, and the most it keeps"),
      GlossaryEntry("DECIDER", "the context of deciding whether to answer"),
      GlossaryEntry("CAN  CANNOT", "what the bot could do when it answered"),
      GlossaryEntry("OUT", "tools it did not have, with the reason"),
      GlossaryEntry("instr class gener", "prompts: instructions, classifier, generation"),
    ]
  }
}
