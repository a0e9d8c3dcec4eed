import ArgumentParser
import CockpitSession

/// `skill`: what an agent has to know to use the program, as one file.
struct SkillCommand: DescribingVerb {
  static let configuration = CommandConfiguration(
    commandName: "skill",
    abstract: "Print SKILL.md: how an agent uses this program without a screen.",
    usage: "clanky-cockpit skill",
    discussion: """
      Markdown with YAML front matter, made from the verbs of this version. Where it belongs depends on the \
      agent, such as ~/.claude/skills/clanky-cockpit/SKILL.md. docs/agents.md has more.

      Example:
        clanky-cockpit skill > ~/.claude/skills/clanky-cockpit/SKILL.md
      """)

  func run(in environment: Environment, describing tree: CommandTree) throws {
    environment.output.write(Array(SkillDocument(tree: tree).markdown.utf8))
  }
}
