# An image with the program alone. It needs no file of the system: the C library is linked in, and so are the model and
# the page.
#
#   docker build --tag tabwise .
#   docker run --rm -v "$PWD:/data" tabwise ask games.csv "which city was last?"
#   docker run --rm -p 127.0.0.1:8017:8017 tabwise serve --listen 0.0.0.0:8017

FROM rust:1.95-slim-bookworm AS build
WORKDIR /source
COPY . .
# The toolchain of the image, instead of the newest that `rust-toolchain.toml` would fetch. With a target, the flags are
# those of the program alone: what runs while it is compiled cannot be static.
RUN export RUSTUP_TOOLCHAIN="$RUST_VERSION" RUSTFLAGS="-C target-feature=+crt-static" \
    && cargo build --locked --release --package tabwise-cli --target "$(rustc --print host-tuple)" --target-dir /target \
    && strip -o /tabwise /target/*/release/tabwise \
    && /tabwise ask examples/olympics.csv "which city was last?" --quiet | grep -qx London

FROM scratch
COPY --from=build /tabwise /usr/local/bin/tabwise
COPY --from=build /source/LICENSE-MIT /source/LICENSE-APACHE /source/THIRD-PARTY.md \
    /source/crates/tabwise/knowledge/LICENSE-WORDNET /usr/share/licenses/tabwise/
# Nobody: an id that owns nothing.
USER 65534:65534
WORKDIR /data
EXPOSE 8017
ENTRYPOINT ["/usr/local/bin/tabwise"]
CMD ["--help"]
