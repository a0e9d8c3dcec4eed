extension SettingCatalogue {
  /// What the bot does of its own accord, and media.
  static let initiativeTable = """
    initiative.text.enabled: bool; = true; timer
      Posts of its own accord.
      | Reply or discovery channels must be set
    initiative.text.execution: policy; = {"mode": "inherit_orchestrator"}; use
      Model for that.
      | Inherits the orchestrator
    initiative.text.eagerness: int 0..100; = 20; use
      How readily.
    initiative.text.minMinutesBetweenPosts: int 1..1440; = 360; use
      Shortest pause.
    initiative.text.maxPostsPerDay: int 0..100; = 3; use
      Posts per day.
    initiative.text.lookbackMessages: int 4..80; = 20; use
      Messages read before deciding.
    initiative.text.allowActiveCuriosity: bool; = true; use
      May search and look things up for it.
      | Research, browser
    initiative.text.maxToolSteps: int 0..8; = 3; use
      Tool rounds.
    initiative.text.maxToolCalls: int 0..12; = 4; use
      Tool calls in all.
    initiative.voice.enabled: bool; = true; turn
      Speaks up in voice without being asked.
    initiative.voice.execution: policy; = {"mode": "dedicated_model", "temperature": 1, "model":
        {"provider": "claude-oauth", "model": "claude-opus-4-6"}}; turn
      Model for such thoughts; temperature default 1 (1.2 when the whole policy is replaced
      without one).
    initiative.voice.eagerness: int 0..100; = 50; turn
      How readily.
    initiative.voice.minSilenceSeconds: int 1..300; = 45; turn
      Silence needed first.
    initiative.voice.minSecondsBetweenThoughts: int 1..600; = 60; turn
      Shortest pause between thoughts.
    initiative.discovery.allowImagePosts: bool; = true; use
      Own posts may carry generated pictures.
      | Image key
    initiative.discovery.allowVideoPosts: bool; = true; use
      Own posts may carry generated videos.
      | Video key
    initiative.discovery.allowReplyImages: bool; = true; use
      Replies may carry generated pictures.
      | Image key
    initiative.discovery.allowReplyVideos: bool; = true; use
      Replies may carry generated videos.
      | Video key
    initiative.discovery.allowReplyGifs: bool; = true; use
      Replies may carry GIFs.
      | GIF key
    initiative.discovery.maxImagesPerDay: int 0..200; = 10; use
      Pictures per day.
      | Costs money
    initiative.discovery.maxVideosPerDay: int 0..120; = 10; use
      Videos per day.
      | Costs money
    initiative.discovery.maxGifsPerDay: int 0..300; = 60; use
      GIFs per day.
    initiative.discovery.simpleImageModel: text 120; = "gpt-image-1.5"; use
      Model for simple pictures.
      | Must be in the allowed list
    initiative.discovery.complexImageModel: text 120; = "gpt-image-2"; March =
        "grok-imagine-image"; use
      Model for difficult pictures.
      | Must be in the allowed list
    initiative.discovery.videoModel: text 120; = "grok-imagine-video"; use
      Model for videos.
      | Must be in the allowed list
    initiative.discovery.allowedImageModels: list 20x120; = ["gpt-image-2", "gpt-image-1.5",
        "grok-imagine-image", "grok-2-image-1212"]; March = ["gpt-image-1.5",
        "grok-imagine-image", "grok-2-image-1212"]; use
      Picture models that may be used.
    initiative.discovery.allowedVideoModels: list 20x120; = ["grok-imagine-video",
        "grok-2-video"]; use
      Video models that may be used.
    initiative.discovery.maxMediaPromptChars: int 100..2000; = 900; use
      Longest picture or video prompt.
    initiative.discovery.maxLinksPerPost: int 0..5; = 2; use
      Links per own post.
    initiative.discovery.maxCandidatesForPrompt: int 1..20; = 6; use
      Found items shown to the model.
    initiative.discovery.freshnessHours: int 1..720; = 96; use
      Age limit of items.
    initiative.discovery.dedupeHours: int 1..2160; = 168; use
      An item is not posted again within this time.
    initiative.discovery.randomness: int 0..100; = 55; use
      How far it strays from the top items.
    initiative.discovery.sourceFetchLimit: int 1..50; = 10; use
      Items fetched per source.
    initiative.discovery.allowNsfw: bool; = false; use
      Keeps items marked as adult.
    initiative.discovery.allowSelfCuration: bool; = true; use
      The bot may add and remove sources itself: it then writes these settings.
      | Changes the version under an open editor
    initiative.discovery.maxSourcesPerType: int 1..50; = 10; use
      Sources per kind when it does.
    initiative.discovery.redditSubreddits: list 50x80; = ["technology", "programming", "games",
        "memes"]; use
      Subreddits; a leading r/ is removed, lower case, repeats dropped.
      | sources.reddit
    initiative.discovery.youtubeChannelIds: list 50x120; = []; use
      Channels.
      | sources.youtube
    initiative.discovery.rssFeeds: list 50x500; = ["https://www.theverge.com/rss/index.xml",
        "https://feeds.arstechnica.com/arstechnica/index"]; use
      Feeds; entries that are no http(s) address dropped.
      | sources.rss
    initiative.discovery.xHandles: list 50x120; = []; use
      Accounts; leading @ removed, lower case.
      | sources.x
    initiative.discovery.xNitterBaseUrl: url; = "https://nitter.net"; use
      Mirror used to read X.
      | sources.x
    initiative.discovery.sources.reddit: bool; = true; use
      Source on.
    initiative.discovery.sources.hackerNews: bool; = true; use
      Source on.
    initiative.discovery.sources.youtube: bool; = true; use
      Source on.
    initiative.discovery.sources.rss: bool; = true; use
      Source on.
    initiative.discovery.sources.x: bool; = false; use
      Source on.
    media.vision.enabled: bool; = true; use
      Looks at pictures in chat.
    media.vision.execution: policy; = {"mode": "dedicated_model", "model": {"provider":
        "claude-oauth", "model": "claude-opus-4-6"}}; use
      Model for that.
      | Does not follow the preset
    media.vision.maxCaptionsPerHour: int 0..500; = 60; use
      Pictures described per hour.
      | Costs money
    media.videoContext.enabled: bool; = true; use
      Looks into linked videos.
      | Download tools on the host
    media.videoContext.execution: policy; = {"mode": "inherit_orchestrator"}; use
      Model for that.
      | Inherits the orchestrator
    media.videoContext.maxLookupsPerHour: int 0..200; = 12; use
      Lookups per hour.
      | March; May: no reader found
    media.videoContext.maxVideosPerMessage: int 0..6; = 2; use
      Videos per message.
    media.videoContext.maxTranscriptChars: int 200..4000; = 1200; use
      Transcript kept.
    media.videoContext.keyframeIntervalSeconds: int 0..120; = 8; use
      Distance of still pictures.
    media.videoContext.maxKeyframesPerVideo: int 0..8; = 3; use
      Still pictures per video.
    media.videoContext.allowAsrFallback: bool; = false; use
      Transcribes the sound when there are no subtitles.
      | Costs money
    media.videoContext.maxAsrSeconds: int 15..600; = 120; use
      Sound transcribed at most.
      | AllowAsrFallback
    """
}
