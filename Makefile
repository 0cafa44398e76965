# Every command of the project. Each installs what it needs; `make help` lists them, in the groups that begin with `##@`.
.DEFAULT_GOAL := help
SHELL := /bin/sh
# What was made only in part is made again.
.DELETE_ON_ERROR:
# No target is a file.
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' Makefile)

# Node 24 comes with the packages, whatever version the machine has.
NODE := ./node_modules/.bin/node
INSTALLED := node_modules/.package-lock.json
# What the service serves at /console.
CONSOLE := packages/console/dist/index.html
# Compiled code is kept between processes: a start takes a third less.
export NODE_COMPILE_CACHE := $(CURDIR)/node_modules/.cache/node

help: ## Show this list
	@awk -F ':.*## ' \
	  '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-19s %s\n", $$1, $$2 }' Makefile
	@printf '\nThe command line for operators and users of the API: npm run cli -- --help\n'

##@ Use

run: install $(CONSOLE) ## Start Postgres, API and worker with a demo company, and open the console: COMPANY=empty begins with nobody, OPEN=no opens no browser
	@exec $(NODE) scripts/run/run.ts

demo: install ## Walk through the API, step by step, against the running service or a fresh one
	@$(NODE) scripts/demo/demo.ts

cluster: install ## Start a Citus cluster on this machine, with the tables distributed: WORKERS=2; CITUS_SOURCE=… builds Citus, PG_CONFIG=… says which Postgres
	@exec $(NODE) scripts/cluster/cluster.ts

cluster-stop: install ## Stop the cluster of `make cluster`
	@$(NODE) scripts/cluster/cluster.ts --stop

install: $(INSTALLED) ## Install the packages of the lockfile; every other command does so when they have changed

# Of the packages' install scripts only those run that `allowScripts` in package.json allows, with any version of npm.
ALLOWED_SCRIPTS := Object.entries(require("./package.json").allowScripts).flatMap(([name, allowed]) => allowed ? name : [])

$(INSTALLED): package.json package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@node -p '$(ALLOWED_SCRIPTS).join(" ")' | xargs -r npm rebuild --ignore-scripts=false --loglevel=error >/dev/null
	@touch $(INSTALLED)

clean: ## Remove the packages and all local data
	rm -rf node_modules .data packages/*/dist packages/*/node_modules packages/*/.data

##@ Develop

# packages/contract-diff is used as it is published, compiled: whatever needs it compiles it when its source is newer.
CONTRACT_DIFF := packages/contract-diff/dist/index.js

# The command line is used as it stands in a checkout, and compiled for others.
CLI := packages/cli/dist/index.js

build: $(CONTRACT_DIFF) $(CLI) $(CONSOLE) ## Compile packages/ to JavaScript, and build the console

console: install ## Serve the console with hot reload, in front of a service that runs: SERVICE_URL=http://localhost:8080
	@cd packages/console && SERVICE_URL="$(SERVICE_URL)" ../../$(NODE) ../../node_modules/vite/bin/vite.js

$(CONSOLE): $(INSTALLED) packages/console/package.json packages/console/vite.config.ts packages/console/index.html src/api/palette.css src/api/base.css src/contract/texts/one-line.ts generated/console/pt.json generated/console/es.json \
  $(wildcard docs/webhooks/verify.*) \
  $(shell find packages/console/src -type f)
	@cd packages/console && ../../$(NODE) ../../node_modules/vite/bin/vite.js build --logLevel warn
	@touch $(CONSOLE)

$(CONTRACT_DIFF): $(INSTALLED) packages/contract-diff/package.json $(wildcard packages/contract-diff/tsconfig*.json) \
  $(shell find packages/contract-diff/src -name '*.ts')
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" npm run --silent build --workspace openapi-contract-diff

$(CLI): $(INSTALLED) packages/cli/package.json $(wildcard packages/cli/tsconfig*.json) $(shell find packages/cli/src -name '*.ts')
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" npm run --silent build --workspace collaborator-cli

test: install build ## Run the tests of units and of the API (up to five minutes); test/README.md says how to run one file
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" npm run --silent test

test-system: install build ## Run the tests that start processes: crashes, command line, browser, clients (up to ten minutes)
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" npm run --silent test:system

test-proxies: install build ## Run test/proxies behind Caddy, as compose.yaml has it, and nginx, which are fetched: PROXIES="caddy nginx"; FETCH=no fetches nothing; says so where there is none (3 minutes)
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" PROXIES="$(PROXIES)" FETCH="$(FETCH)" $(NODE) scripts/proof/proxies/test-proxies.ts $(TESTS)

test-cluster: install build ## Run the tests of the API, of the cluster and the demo on a Citus cluster: WORKERS=2; TESTS=test/api/operations runs some; says so where there is no Citus
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" $(NODE) scripts/cluster/test-cluster.ts $(TESTS)

check: static audit contract-diff check-secrets test test-system ## Everything that CI checks: static, audit, contract-diff, check-secrets, test, test-system

static: install build ## Format, lint, imports between folders, unused code, types, generated files, contract: all that needs no test
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" npm run --silent static

format: install ## Format all files
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" npm run --silent format

generate: install build ## Write generated/ from openapi/ and the migrations, settings.md, and the pages of the contract rules
	@$(NODE) scripts/generate/generate.ts
	@$(NODE) packages/contract-diff/scripts/rule-pages.ts

##@ Prove

fuzz: install ## Send valid, faulty and hostile requests: RUNS=100 each; SEED= and OPERATION= repeat a run (some minutes)
	@$(NODE) scripts/proof/fuzz/fuzz.ts

fuzz-tenants: install ## Let users of two companies do anything, and look for data that crosses over (some minutes)
	@$(NODE) scripts/proof/fuzz/fuzz-tenants.ts

prove-guard: install ## Run COUNT=100000 statements that the tenant guard allows, with and without another company's rows; SEED= repeats a run (4 minutes)
	@$(NODE) scripts/proof/guard/prove-guard.ts

fuzz-files: install ## Take apart workbooks, forms and images that are almost right, for TIME=600 seconds; SEED= and KINDS= repeat a run
	@$(NODE) scripts/proof/fuzz-files/fuzz-files.ts

compare-readers: install ## Read the workbooks of other projects' tests, which are downloaded, by our reader and by those of others, and hold them against each other: CORPORA="poi gnumeric" FOLDERS=… (10 minutes)
	@$(NODE) scripts/proof/compare-readers/compare-readers.ts $(CORPORA) $(foreach folder,$(FOLDERS),--folder $(folder))

check-templates: install ## Fill in the import template with the programs that people use, and import it: PROGRAMS="libreoffice poi openpyxl" (2 minutes)
	@$(NODE) scripts/proof/check-templates/check-templates.ts $(PROGRAMS)

chaos: install ## Break everything under load for SECONDS=60 and check that nothing was lost; SEED= repeats a run, STORAGE_URL= uses a store that is there, CLUSTER=1 a Citus cluster
	@$(NODE) scripts/proof/chaos/chaos.ts

test-store: install ## Run the tests that keep files (or TESTS=…) against the store of STORAGE_URL=…, in a place of their own
	@$(NODE) scripts/proof/stores/test-store.ts $(TESTS)

check-stores: install ## Run them, and a short chaos, against stores that others made, which are downloaded: STORES="versitygw moto" (15 minutes)
	@$(NODE) scripts/proof/stores/check-stores.ts $(STORES)

soak: install ## Load the service steadily for MINUTES=10 and check that memory, handles and tables do not grow
	@$(NODE) scripts/proof/soak/soak.ts

workflows: install ## Run the workflows of openapi/workflows.arazzo.yaml against a fresh service
	@$(NODE) scripts/proof/workflows.ts

sdk-check: install ## Generate clients in nine languages and use each against a live service; CLIENTS="go java" runs some of them (10 minutes)
	@$(NODE) scripts/proof/sdk-check/sdk-check.ts $(CLIENTS)

offices: install ## Import ten files as offices make them, print what came of each, and write docs/guides/office-files.md
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" RECORD=1 npm run --silent jest -- test/system/imports/offices.test.ts

guides-check: install ## Try the guides for Zapier and Postman with their own tools, which are downloaded: GUIDES=zapier tries one (2 minutes)
	@$(NODE) scripts/proof/guides-check/guides-check.ts $(GUIDES)

check-exchanges: install ## Run TESTS=… of the API (all without it), and hold what was asked and answered against the contract, by another validator
	@rm -rf .data/exchanges && mkdir -p .data/exchanges
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" EXCHANGES="$(CURDIR)/.data/exchanges" npm run --silent jest -- --selectProjects api $(if $(TESTS),--testPathPatterns $(TESTS))
	@$(NODE) scripts/proof/exchanges/check-exchanges.ts .data/exchanges

screenshots: install ## Keep pictures of all pages and mails in each language, in .data/screenshots (1 minute)
	@$(NODE) scripts/proof/screenshots/screenshots.ts

pictures: install $(CONSOLE) ## Take the pictures of README and docs from the console, with the demo company (1 minute)
	@$(NODE) scripts/proof/pictures/pictures.ts

check-upgrade: install build ## Replace processes of FROM=<commit> by those of this one and back, on one database and under load (1 minute)
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" FROM="$(FROM)" npm run --silent jest -- test/system/upgrade

test-postgres: install build ## Run make test on other versions of Postgres, which are downloaded: VERSION="15 16 17", TESTS=test/platform (6 minutes each)
	@$(NODE) scripts/proof/test-postgres/test-postgres.ts $(if $(VERSION),--versions "$(VERSION)") $(TESTS)

check-pgbouncer: install ## Run TESTS=test/api/operations through pgbouncer (has to be installed) in transaction mode
	@$(NODE) scripts/proof/check-pgbouncer.ts $(TESTS)

check-alerts: ## Check by promtool, which comes with Prometheus, that the alerts fire when they should (a second)
	@command -v promtool > /dev/null || { echo 'There is no promtool here; it comes with Prometheus.'; exit 1; }
	@cd deploy/prometheus && promtool test rules alerts_test.yaml

check-helm: install ## Check the Helm chart by helm, which is fetched where Go is; RECORD=1 keeps what the tests read (1 minute)
	@$(NODE) scripts/proof/check-helm/check-helm.ts

##@ Measure

bench: install ## Requests, beside other servers that do the same work; writes docs/benchmarks/ (14 minutes; SHORT=1 takes 4): REPETITIONS= SECONDS= CHANGES= PEOPLE=
	@SHORT="$(SHORT)" REPETITIONS="$(REPETITIONS)" SECONDS="$(SECONDS)" CHANGES="$(CHANGES)" PEOPLE="$(PEOPLE)" $(NODE) scripts/bench/http.ts

bench-all: install ## All that docs/benchmarks tells, with what was printed kept in docs/benchmarks/runs/ (25 minutes on a quiet machine): PARTS=requests,webhooks,start
	@PARTS="$(PARTS)" $(NODE) scripts/bench/all.ts

bench-growth: install ## Each operation with 10,000 and with 1,000,000 collaborators (9 minutes)
	@$(NODE) scripts/bench/growth.ts

bench-webhooks: install ## Webhooks: latency, backlog, hanging receivers, a killed worker (8 minutes): ROUNDS=3, PARTS=latency,kill, PEER=/path/to/svix-server
	@$(NODE) scripts/bench/webhooks/webhooks.ts

bench-sheets: install ## Imports and exports of 100,000 people, beside other libraries (6 minutes)
	@$(NODE) scripts/bench/sheets.ts

bench-uploads: install ## Memory of 100 uploads of 10 MB at once, and how long other requests wait
	@$(NODE) scripts/bench/uploads.ts

bench-encryption: install ## Uploads, downloads and ranges of files that are encrypted at rest, beside files that are not (1 minute)
	@$(NODE) scripts/bench/encryption.ts

bench-refusals: install ## The worst requests that fit the limits to every operation: delay, answers, memory (5 minutes)
	@$(NODE) scripts/bench/refusals/refusals.ts

bench-memory: install ## What the memory settings of the image save and cost, beside Node's own (2 minutes)
	@$(NODE) scripts/bench/memory-settings.ts

bench-sizes: install ## Bytes a row of each table and its indexes; docs/operations/capacity.md has them
	@$(NODE) scripts/bench/sizes.ts $(COLLABORATORS)

bench-scale: install ## Sizes, growth, the slowest statements and a year of events at any size (100,000 people: about 10 minutes): PEOPLE=10000000 COMPANIES=10000 LARGEST=500000 PARTS=disk,growth,statements,all,year FOLDER=/where/it/stays
	@PEOPLE="$(PEOPLE)" COMPANIES="$(COMPANIES)" LARGEST="$(LARGEST)" PARTS="$(PARTS)" FOLDER="$(FOLDER)" STEPS="$(STEPS)" EVENTS="$(EVENTS)" $(NODE) scripts/bench/scale/scale.ts

bench-cluster: install ## Writes and reads on one Postgres, and on Citus clusters of one machine, of one worker and of two (3 minutes): ROUNDS=5, SECONDS=2
	@$(NODE) scripts/bench/cluster/cluster.ts

bench-processes: install ## What many processes cost the database while idle, under requests and under events: FLEETS="10:4 50:20" are API processes and workers (2 minutes)
	@FLEETS="$(FLEETS)" $(NODE) scripts/bench/processes/processes.ts

bench-start: install ## `make run` until it is ready, and processes as the image starts them (1 minute)
	@$(NODE) scripts/bench/start.ts

bench-operations: install ## What more operations in the contract cost the others
	@$(NODE) scripts/bench/operations.ts

bench-engine: install ## What openapi-backend costs a request, as it is and with its slow parts replaced
	@$(NODE) scripts/bench/engine.ts

bench-access: install ## What authentication and authorisation cost a request
	@$(NODE) scripts/bench/access.ts

bench-other-workbooks: install ## Measure reading 20,000 people as xlsx, xls, xlsb and ods, by us and by the package xlsx
	@$(NODE) scripts/bench/other-workbooks.ts

bench-contract-diff: install build ## Comparing two contracts, ours and one of 10 MB
	@$(NODE) packages/contract-diff/scripts/bench.ts

profile: install ## A CPU profile of OPERATION=getCollaborator, and where the time goes
	@$(NODE) scripts/bench/profile.ts $(OPERATION)

##@ Release

CONTRACT_POLICY := openapi/contract-policy.yaml
# Findings that were accepted: made by `openapi-contract-diff accept` when there are any.
CONTRACT_EXCEPTIONS := openapi/contract-exceptions.yaml

contract-diff: install build ## Compare the contract with its last release, and say which version it needs
	@if ls openapi/released/*.json >/dev/null 2>&1; \
	then $(NODE) node_modules/.bin/openapi-contract-diff openapi/released openapi/openapi.yaml --policy $(CONTRACT_POLICY) \
	  $(if $(wildcard $(CONTRACT_EXCEPTIONS)),--exceptions $(CONTRACT_EXCEPTIONS)); \
	else echo 'There is no release yet, so there is nothing to compare with: `make contract-release` makes the first.'; fi

contract-release: install build ## Release the contract: a snapshot in openapi/released, an entry in openapi/CHANGELOG.md
	@$(NODE) scripts/release/release-contract.ts

contract-peers: install build ## Our verdicts on the test cases beside those of Redocly and oasdiff (some minutes)
	@$(NODE) packages/contract-diff/scripts/peers/cases.ts

audit: install ## Ask the registry for known vulnerabilities; REQUIRED=--required fails when it does not answer
	@$(NODE) scripts/supply-chain/audit.ts $(REQUIRED)

licenses: install ## Check licences, versions and hashes of all packages, and write docs/operations/licenses.md
	@$(NODE) scripts/supply-chain/licenses.ts

sbom: install build ## Write the bills of materials (CycloneDX): of what runs in production, .data/sbom.cdx.json, and of everything
	@$(NODE) scripts/supply-chain/write-sbom.ts

complete-lockfile: install ## Complete package-lock.json after a change of packages: entries for other platforms, no addresses
	@$(NODE) scripts/supply-chain/complete-lockfile.ts

vendor-scalar: install ## Fetch the page of the API reference (Scalar) into src; VERSION= takes another version
	@$(NODE) scripts/supply-chain/vendor-scalar.ts $(VERSION)

pin-images: install ## Write the digests of today's images into Dockerfile and compose.yaml, where their registry can be reached (needs Docker)
	@$(NODE) scripts/supply-chain/pin-images.ts

check-secrets: install ## Look for secrets in all files and in the history of the repository
	@$(NODE) scripts/supply-chain/check-secrets.ts
