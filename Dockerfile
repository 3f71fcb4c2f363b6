# One image with all programs; a container's command says which of them it is.
FROM swift:6.3-bookworm AS build
WORKDIR /keijiban
COPY scripts/install-packages scripts/
RUN scripts/install-packages build && rm -rf /var/lib/apt/lists/*
COPY Package.swift ./
COPY Shared Shared
COPY Services Services
COPY Tests Tests
COPY docs docs
# The Swift libraries that the programs load go along once: in each of the programs they would be 55 MB.
RUN swift build -c release \
 && mkdir /programs /libraries \
 && for program in threads posts media likes gateway keijiban; do \
      strip --output-file="/programs/$program" "$(swift build -c release --show-bin-path)/$program" || exit 1; \
    done \
 && ldd /programs/* | awk '$3 ~ "^/usr/lib/swift/" {print $3}' | sort -u | xargs cp -t /libraries

FROM debian:bookworm-slim
# Time zones for calendar days, certificates for brokers and databases over TLS.
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      ca-certificates libcurl4 libmicrohttpd12 libpq5 librdkafka1 libssl3 libstdc++6 libvips42 tzdata zlib1g \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin keijiban \
 && install --directory --owner=10001 /var/lib/keijiban
COPY --from=build /libraries/ /usr/lib/swift/linux/
COPY --from=build /programs/ /usr/local/bin/
RUN ! ldd /usr/local/bin/* | grep 'not found'
USER 10001
WORKDIR /var/lib/keijiban
# Services listen on 8080 in their own containers.
ENV HOST=0.0.0.0 PORT=8080 LANG=C.UTF-8
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s CMD ["keijiban", "ready", "8080"]
CMD ["gateway"]
