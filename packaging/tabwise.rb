# Formula for Homebrew, which builds from a tag: `packaging/fill.sh DIR`, then `brew install --formula DIR/tabwise.rb`.
class Tabwise < Formula
  desc "Answers questions about tables, offline, with the reason and the cells"
  homepage "@repository@"
  url "@repository@/archive/refs/tags/v@version@.tar.gz"
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
