# Formula for Homebrew: `brew install --formula packaging/tabwise.rb`. The release workflow fills in the version and the
# checksums and attaches the file to the release; as it stands here, it builds from a tag.
class Tabwise < Formula
  desc "Answers questions about tables, offline, with the reason and the cells"
  homepage "https://example.org/tabwise"
  url "https://example.org/tabwise/archive/refs/tags/v0.1.0.tar.gz"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", "--locked", *std_cargo_args(path: "crates/tabwise-cli")
    generate_completions_from_executable(bin/"tabwise", "completions")
    (man1/"tabwise.1").write Utils.safe_popen_read(bin/"tabwise", "man")
  end

  test do
    (testpath/"games.csv").write "City,Year\nAthens,1896\nParis,1900\n"
    assert_equal "Paris", shell_output("#{bin}/tabwise ask games.csv 'which city was last?' --quiet").strip
  end
end
