# The image that all stages begin with. To pin it: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…, see
# docs/operations/supply-chain.md.
ARG NODE_IMAGE=node:24-bookworm-slim

# Stage 1: the packages that production needs, and nothing else; what is in packages/ is for work on the project.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --workspaces=false --ignore-scripts --no-audit --no-fund
# What compilers and debuggers read of them.
RUN find node_modules -type f '(' -name '*.d.ts' -o -name '*.d.[cm]ts' -o -name '*.map' ')' -delete

# Stage 2: the console, built into files. Its tools stay here.
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

# Stage 3: the source as it is. Node 24 runs TypeScript, so the service has no build step.
FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY generated generated
COPY docs docs
COPY openapi/CHANGELOG.md openapi/
COPY src src
# The commands of users, which are part of the command line; the service serves them as a package, too.
COPY packages/cli/package.json packages/cli/LICENSE packages/cli/
COPY packages/cli/bin packages/cli/bin
COPY packages/cli/src packages/cli/src
COPY packages/contract-diff/schema packages/contract-diff/schema
COPY --from=console /app/packages/console/dist packages/console/dist
# Files and mails that go nowhere else; mount something here that stays.
RUN mkdir -m 700 /data && chown node:node /data
VOLUME /data
# The memory of every process, whatever starts it: V8 keeps 24 MB for new objects in place of 96, and what large requests took goes
# back to the system (blocks of 64 KB and more are mapped one by one, and little is kept for others).
ENV NODE_OPTIONS=--max-semi-space-size=8
ENV MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_ARENA_MAX=2
RUN mkdir compiled && chown node:node compiled
# By number, so that an orchestrator can see that it is not root.
USER 1000:1000
# Compiled code, kept in the image: without it a start takes several times as long. Node keeps it for a user and for flags; as
# another user it starts as if there were none.
RUN NODE_COMPILE_CACHE=compiled node --input-type=module \
  -e "for (const file of ['main', 'api/server/front', 'api/start-api', 'api/pages-of-service', 'api/pages/sign-in-routes', 'worker/start-jobs']) await import('./src/' + file + '.ts')"
ENV NODE_COMPILE_CACHE=/app/compiled
EXPOSE 8080 9464
# A worker alone listens on METRICS_PORT only.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "const ask = (port, path) => fetch(`http://127.0.0.1:${port}${path}`).then((r) => { if (!r.ok) throw r; }); ask(process.env.PORT, '/healthz').catch(() => ask(process.env.METRICS_PORT, '/metrics')).catch(() => process.exit(1))"]
# Arguments name what the container does: `api`, `worker`, or both.
ENTRYPOINT ["node", "src/main.ts"]
CMD ["api", "worker"]
