# Base image of all stages. Pin it with --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:… (docs/operations/supply-chain.md).
ARG NODE_IMAGE=node:24-bookworm-slim

# Stage 1: production dependencies only, without the workspaces in packages/.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --workspaces=false --ignore-scripts --no-audit --no-fund
# Remove type declarations and source maps, which only compilers and debuggers read.
RUN find node_modules -type f '(' -name '*.d.ts' -o -name '*.d.[cm]ts' -o -name '*.map' ')' -delete

# Stage 2: build the console. Its build tools stay out of the final image.
FROM ${NODE_IMAGE} AS console
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/console packages/console
RUN npm ci --workspace packages/console --ignore-scripts --no-audit --no-fund
COPY src/api/palette.css src/api/base.css src/api/
COPY src/contract/texts/one-line.ts src/contract/texts/
COPY generated/console generated/console
COPY docs/webhooks docs/webhooks
RUN cd packages/console && npm run build

# Stage 3: the service. Node 24 runs TypeScript, so there is no build step.
FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY generated generated
COPY docs docs
COPY openapi/CHANGELOG.md openapi/
COPY src src
# The command line includes the user commands, and the service serves them as a package.
COPY packages/cli/package.json packages/cli/LICENSE packages/cli/
COPY packages/cli/bin packages/cli/bin
COPY packages/cli/src packages/cli/src
COPY packages/contract-diff/schema packages/contract-diff/schema
COPY --from=console /app/packages/console/dist packages/console/dist
# Files, and emails without a mail server; mount persistent storage here.
RUN mkdir -m 700 /data && chown node:node /data
VOLUME /data
# Memory settings of every process: V8 uses 48 MB for new objects instead of 192 MB, and malloc returns the memory of large requests
# to the system (it maps blocks of 64 KB and more individually, and keeps little free memory).
ENV NODE_OPTIONS=--max-semi-space-size=16
ENV MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_ARENA_MAX=2
RUN mkdir compiled && chown node:node compiled
# Numeric, so that an orchestrator can verify that it is not root.
USER 1000:1000
# Bake the compiled code of all modules into the image. Without it, startup takes several times as long, and a process that loads one
# of them later, such as a job, also loads Node's library that removes types. Node keys the cache by user and flags, so a container
# that runs as another user does not benefit.
RUN NODE_COMPILE_CACHE=compiled node --input-type=module \
  -e "import { globSync } from 'node:fs'; for (const file of ['src/main.ts', ...globSync('src/*/**/*.ts')]) await import('./' + file)" \
  && NODE_COMPILE_CACHE=compiled node src/cli.ts --version
ENV NODE_COMPILE_CACHE=/app/compiled
EXPOSE 8080 9464
# A worker-only container listens on METRICS_PORT only.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "const ask = (port, path) => fetch(`http://127.0.0.1:${port}${path}`).then((r) => { if (!r.ok) throw r; }); ask(process.env.PORT, '/healthz').catch(() => ask(process.env.METRICS_PORT, '/metrics')).catch(() => process.exit(1))"]
# Arguments select the roles: `api`, `worker`, or both.
ENTRYPOINT ["node", "src/main.ts"]
CMD ["api", "worker"]
