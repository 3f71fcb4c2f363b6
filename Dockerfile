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
# The Swift libraries go into the programs, so that the image below needs none of them.
RUN swift build -c release --static-swift-stdlib \
 && mkdir /programs \
 && for program in threads posts media likes gateway keijiban; do \
      strip --output-file="/programs/$program" "$(swift build -c release --static-swift-stdlib --show-bin-path)/$program" || exit 1; \
    done

FROM debian:bookworm-slim
# Time zones for calendar days, certificates for brokers and databases over TLS.
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      ca-certificates libcurl4 libmicrohttpd12 libpq5 librdkafka1 libssl3 libvips42 tzdata zlib1g \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin keijiban \
 && install --directory --owner=10001 /var/lib/keijiban
COPY --from=build /programs/ /usr/local/bin/
USER 10001
WORKDIR /var/lib/keijiban
# Services listen on 8080 in their own containers.
ENV HOST=0.0.0.0 PORT=8080 LANG=C.UTF-8
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s CMD ["keijiban", "ready", "8080"]
CMD ["gateway"]
