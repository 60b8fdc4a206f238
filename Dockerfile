# The container image of a Wellies server. `scripts/check_image.py` builds and starts it, also where there is no Docker.
#
#   docker build --tag wellies .
#   docker run --read-only --tmpfs /tmp --volume wellies:/data --publish 8000:8000 wellies

FROM debian:bookworm-slim AS engine
RUN apt-get update && apt-get install --yes --no-install-recommends python3 && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY scripts/build_engine.py scripts/
COPY src src
RUN python3 scripts/build_engine.py packed


FROM node:20-bookworm-slim AS page
WORKDIR /build/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci --no-audit --no-fund --loglevel=error
COPY web ./
COPY --from=engine /build/packed /build/build/browser
RUN npm run --silent build -- --logLevel warn


FROM debian:bookworm-slim AS build
RUN apt-get update \
  && apt-get install --yes --no-install-recommends gcc libc6-dev python3-dev python3-pip python3-venv \
  && rm -rf /var/lib/apt/lists/*
# No pip in what is copied from here: nothing is installed later.
RUN python3 -m venv /opt/tools && python3 -m venv --without-pip /opt/wellies
WORKDIR /build
COPY requirements-build.lock requirements-server.lock ./
RUN /opt/tools/bin/pip install --no-cache-dir --no-deps --require-hashes --requirement requirements-build.lock \
  && /opt/tools/bin/pip --python /opt/wellies/bin/python install --no-cache-dir --no-deps --require-hashes \
  --requirement requirements-server.lock
COPY pyproject.toml setup.py MANIFEST.in README.md LICENSE ./
COPY src src
COPY --from=page /build/src/wellies/server/page src/wellies/server/page
RUN WELLIES_COMPILE=1 /opt/tools/bin/pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /dist . \
  && /opt/tools/bin/pip --python /opt/wellies/bin/python install --no-cache-dir --no-deps /dist/*.whl


FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Wellies" \
  org.opencontainers.image.description="Five rainy-day board games: the server with its page" \
  org.opencontainers.image.version="0.2.0" \
  org.opencontainers.image.licenses="MIT"
RUN apt-get update \
  && apt-get install --yes --no-install-recommends python3 ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 wellies \
  && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin wellies \
  && install --directory --owner=10001 --group=10001 --mode=0700 /data
COPY --from=build /opt/wellies /opt/wellies
ENV PATH=/opt/wellies/bin:/usr/local/bin:/usr/bin:/bin \
  PYTHONDONTWRITEBYTECODE=1 \
  PYTHONUNBUFFERED=1 \
  WELLIES_DATA=/data \
  WELLIES_HOST=0.0.0.0 \
  WELLIES_PORT=8000
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["python3", "-c", "import http.client, os, sys; server = http.client.HTTPConnection('127.0.0.1', int(os.environ['WELLIES_PORT']), timeout=4); server.request('GET', '/health'); sys.exit(server.getresponse().status != 200)"]
ENTRYPOINT ["wellies"]
CMD ["serve"]
