# syntax=docker/dockerfile:1

FROM docker.io/library/node:26-bookworm-slim AS base
WORKDIR /app

# What the page is built with does not reach the image.
FROM base AS page
COPY package.json package-lock.json ./
COPY web/package.json web/
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY packages packages
COPY web web
RUN cd web && node ../node_modules/vite/bin/vite.js build

FROM base AS packages
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --workspaces=false --no-audit --no-fund

FROM base
# MALLOC_…: fewer memory pools for threads, and large buffers go back to the system as soon as they are free (docs/benchmark.md).
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=4000 \
    SERAI_DATA_DIR=/data \
    NODE_COMPILE_CACHE=/app/.compiled \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=262144 \
    MALLOC_TRIM_THRESHOLD_=262144
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY data data
COPY docs docs
COPY packages/client/README.md packages/client/README.md
COPY src src
COPY --from=page /app/web/dist web/dist
# A tmpfs at /data belongs to root, but gets the mode of this folder. The server closes a folder of its own to other users.
RUN install -d -o node -g node .compiled && install -d -o node -g node -m 1777 /data

# By number, so that an orchestrator can see that it is not root. What Node compiles is kept per user: the warm-up below
# must run as the user that serves.
USER 1000:1000

# Starts once and stops: what Node compiled on the way stays in the image, and an image that cannot start is never made.
RUN export SERAI_SECRETS="build:$(head -c 32 /dev/urandom | base64)" \
    SERAI_DATA_DIR="$(mktemp -d)" SERAI_WORKERS=1 SERAI_DRAIN_MS=0 SERAI_LOG_LEVEL=warn && \
    { node src/cli/serai.ts serve & } && \
    (for try in $(seq 60); do sleep 1; node -e "fetch('http://127.0.0.1:4000/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))" && exit 0; done; exit 1) && \
    kill $! && wait $!

VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "src/cli/serai.ts", "serve"]
