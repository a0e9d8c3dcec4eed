# A formula for Homebrew, from a checkout: brew install --HEAD ./packaging/clanky-cockpit.rb
class ClankyCockpit < Formula
  desc "Terminal cockpit for people who run a Clanky bot"
  license "MIT"
  head File.expand_path("..", __dir__), using: :git, branch: "main"

  depends_on xcode: ["16.0", :build]
  depends_on "ncurses"
  depends_on "openssl@3"
  depends_on "sqlite"
  depends_on "zstd"

  # Images are shown where these are installed.
  depends_on "jpeg-turbo" => :recommended
  depends_on "libpng" => :recommended
  depends_on "webp" => :recommended

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "clanky-cockpit"
    system "scripts/install", "--prefix", prefix, "--binary", ".build/release/clanky-cockpit"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/clanky-cockpit --version") unless head?
    assert_match "healthy", shell_output("#{bin}/clanky-cockpit status --demo quiet")
  end
end
