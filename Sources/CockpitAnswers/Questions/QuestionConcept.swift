/// The concept of a typed word. One table of synonyms; a word may belong to several.
package enum QuestionConcept: String, CaseIterable, Hashable, Sendable {
  case answer, silent, not, why, cause, say, who, cost, howMuch, most, model, today, slow, remember
  case about, fact, since, happen, broken, wrong, error, tool, learn, new, change, forget, person
  case mean, prompt, voice, now, past, schedule, nothing, see, often, use, keys, which, ignore
  case setting, run, otherwise

  /// Lower case, without apostrophes: `doesn't` is `doesnt`.
  var words: [String] {
    switch self {
    case .answer:
      [
        "answer", "answers", "reply", "replies", "respond", "response", "react", "message",
      ]
    case .silent: ["silent", "silence", "quiet", "skip", "mute", "unanswered", "ghost"]
    case .not:
      [
        "not", "no", "didnt", "doesnt", "dont", "isnt", "wont", "cant", "never", "nobody",
        "without",
        "wasnt", "stopped",
      ]
    case .why: ["why", "reason"]
    case .cause:
      ["cause", "because", "justify", "made", "make", "makes", "come", "came", "from", "explain"]
    case .say: ["say", "said", "says", "wrote", "write", "tell", "told", "speak", "talk"]
    case .who: ["who", "whom", "anyone", "anybody", "someone", "people", "member", "user"]
    case .cost:
      [
        "cost", "costs", "price", "money", "spend", "spent", "bill", "expensive", "dollar", "usd",
        "pay", "budget", "charge", "cheap",
      ]
    case .howMuch: ["much", "amount", "total", "sum"]
    case .most: ["most", "biggest", "top", "eats", "eating", "where", "highest", "drain", "worst"]
    case .model: ["model", "models", "llm", "provider", "claude", "gpt", "token", "tokens"]
    case .today: ["today", "todays", "day", "daily"]
    case .slow:
      [
        "slow", "slower", "latency", "lag", "lagging", "delay", "long", "ages", "fast", "speed",
        "wait", "duration", "hang", "forever", "time", "times",
      ]
    case .remember:
      [
        "remember", "memory", "memories", "know", "knows", "recall", "memorize", "remembered",
        "note", "notes", "stored", "store",
      ]
    case .about: ["about", "of", "regarding"]
    case .fact: ["fact", "facts"]
    case .since:
      [
        "since", "yesterday", "night", "overnight", "morning", "weekend", "while", "away", "last",
        "hours", "gone", "asleep",
      ]
    case .happen:
      [
        "happen", "happened", "happens", "miss", "missed", "news", "summary", "digest", "recap",
        "going", "report", "overview",
        "catch",
      ]
    case .broken:
      [
        "broken", "down", "dead", "ok", "okay", "health", "healthy", "alive", "working", "works",
        "work", "fine", "offline", "online", "status", "crash", "stuck", "problem", "trouble",
        "triage", "alright",
      ]
    case .wrong: ["wrong", "false", "incorrect", "bad", "outdated", "untrue", "mistake"]
    case .error:
      ["error", "errors", "fail", "fails", "failed", "failure", "failures", "exception", "warning"]
    case .tool:
      [
        "tool", "tools", "search", "web", "browser", "browse", "mcp", "image", "plugin", "server",
        "function",
      ]
    case .setting:
      [
        "setting", "settings", "configure", "configuration", "config", "option", "options",
        "preset",
        "limit", "limits", "switch", "persona",
      ]
    case .run: ["run", "runs", "runtime", "effective"]
    case .otherwise:
      ["if", "whatif", "instead", "other", "another", "threshold", "thresholds", "cheaper"]
    case .learn: ["learn", "learned", "learnt", "learning", "picked"]
    case .new: ["new", "newest", "recent", "recently", "latest", "added"]
    case .change:
      ["change", "changed", "edit", "correct", "fix", "update", "replace", "different", "mend"]
    case .forget:
      ["forget", "forgot", "delete", "erase", "remove", "purge", "wipe", "gdpr", "clear"]
    case .person: ["person", "everything", "him", "her", "them", "me", "my"]
    case .mean: ["mean", "means", "meaning", "explain", "define", "definition", "word"]
    case .prompt:
      ["prompt", "prompts", "instruction", "instructions", "system", "personality", "persona"]
    case .voice: ["voice", "call", "channel", "vc", "room", "speaking", "talking", "session"]
    case .now: ["now", "currently", "moment", "live", "present", "doing"]
    case .past: ["past", "earlier", "previous", "history", "old", "calls", "sessions", "last"]
    case .schedule:
      [
        "schedule", "scheduled", "automation", "automations", "job", "jobs", "cron", "timer",
        "itself", "alone", "reminder", "initiative", "own",
      ]
    case .nothing: ["nothing", "empty", "blank", "missing", "disappeared"]
    case .see:
      ["see", "show", "shows", "here", "connect", "connection", "appear", "screen", "data"]
    case .often:
      ["often", "many", "frequent", "frequently", "count", "rate", "chatty", "spam", "per"]
    case .use: ["use", "used", "uses", "using", "based"]
    case .keys: ["key", "keys", "shortcut", "shortcuts", "hotkey", "keyboard", "help", "press"]
    case .which: ["which"]
    case .ignore: ["ignore", "ignored", "ignores", "ignoring", "neglect", "overlook"]
    }
  }

  /// Words that carry no meaning for matching.
  static let fillers: Set<String> = [
    "a", "an", "the", "is", "are", "was", "were", "be", "been", "do", "does", "did", "it", "its",
    "this", "that", "these", "those", "to", "in", "on", "at", "for", "with", "and", "or", "i", "so",
    "bot", "clanky", "what", "whats", "how", "there", "any", "get", "gets", "has", "have", "had",
    "up", "just", "please", "can", "could", "would", "should", "takes", "take", "will", "go",
  ]
}
