# Project commands. Each installs its own dependencies; `make help` lists them, grouped by `##@`. Proofs and benchmarks are in
# scripts/proof/proofs.mk and scripts/bench/benches.mk.
.DEFAULT_GOAL := help
SHELL := /bin/sh
# Delete partial output, so that it is rebuilt.
.DELETE_ON_ERROR:
# No command is a file.
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' Makefile $(wildcard scripts/*/*.mk))

# Node 24 from the packages, regardless of the installed version.
NODE := ./node_modules/.bin/node
# Three sets of packages: the base runs the service and builds the console. Commands add the other two on demand: the peer servers
# of scripts/bench, and everything that tests, checks, generators, and proofs need.
INSTALLED := node_modules/.installed
BENCH := node_modules/.installed-bench
ALL := node_modules/.installed-all
# For commands that call the packages' binaries by name.
LOCAL := PATH="$(CURDIR)/node_modules/.bin:$$PATH"
# Served at /console.
CONSOLE := packages/console/dist/index.html
# Share compiled code between processes: startup takes a third less time.
export NODE_COMPILE_CACHE := $(CURDIR)/node_modules/.cache/node

help: ## List all commands
	@awk -F ':.*## ' \
	  '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' Makefile
	@printf '\nThe command line for operators and users of the API: npm run cli -- --help\n'

##@ Use

run: install $(CONSOLE) ## Start Postgres, API, and worker with a demo company, and open the console: COMPANY=empty, OPEN=no
	@exec $(NODE) scripts/run/run.ts

demo: install ## Walk through the API step by step, on the running service or a new one
	@$(NODE) scripts/demo/demo.ts

cluster: $(INSTALLED) ## Start a local Citus cluster: WORKERS=2, CITUS_SOURCE=… builds Citus; STOP=1 stops it
	@exec $(NODE) scripts/cluster/cluster.ts $(if $(STOP),--stop)

install: $(INSTALLED) ## Install the packages that run the service; other commands install more on demand

# Only packages listed in `allowScripts` of package.json may run install scripts, with any version of npm.
ALLOWED_SCRIPTS := Object.entries(require("./package.json").allowScripts).flatMap(([name, allowed]) => allowed ? name : [])
NPM_OPTIONS := --ignore-scripts --no-audit --no-fund --loglevel=error

$(INSTALLED): package.json package-lock.json
	npm ci $(NPM_OPTIONS) --include-workspace-root --workspace @collaborator-api/console
	@node -p '$(ALLOWED_SCRIPTS).join(" ")' | xargs -r npm rebuild --ignore-scripts=false --loglevel=error >/dev/null
	@touch $@

$(BENCH): $(INSTALLED)
	npm install --no-save $(NPM_OPTIONS) --workspace collaborator-bench
	@touch $@

$(ALL): $(INSTALLED)
	npm install --no-save $(NPM_OPTIONS)
	@touch $@

clean: ## Remove installed packages, build output, and all local data
	rm -rf node_modules .data packages/*/dist packages/*/node_modules packages/*/.data

##@ Develop

# packages/contract-diff is used compiled, as published; commands that need it rebuild it when its source changes.
CONTRACT_DIFF := packages/contract-diff/dist/index.js

# A checkout runs the command line from source; only the published package is compiled.
CLI := packages/cli/dist/index.js

build: $(CONTRACT_DIFF) $(CLI) $(CONSOLE) ## Compile packages/ to JavaScript, and build the console

console: $(ALL) ## Serve the console with hot reload, on top of SERVICE_URL=http://localhost:8080
	@cd packages/console && SERVICE_URL="$(SERVICE_URL)" ../../$(NODE) ../../node_modules/vite/bin/vite.js

$(CONSOLE): $(INSTALLED) packages/console/package.json packages/console/vite.config.ts packages/console/index.html src/api/palette.css src/api/base.css src/contract/texts/one-line.ts generated/console/pt.json generated/console/es.json \
  $(wildcard docs/webhooks/verify.*) \
  $(shell find packages/console/src -type f)
	@cd packages/console && ../../$(NODE) ../../node_modules/vite/bin/vite.js build --logLevel warn
	@touch $(CONSOLE)

$(CONTRACT_DIFF): $(ALL) packages/contract-diff/package.json $(wildcard packages/contract-diff/tsconfig*.json) \
  $(shell find packages/contract-diff/src -name '*.ts')
	@$(LOCAL) npm run --silent build --workspace packages/contract-diff

$(CLI): $(ALL) packages/cli/package.json $(wildcard packages/cli/tsconfig*.json) $(shell find packages/cli/src -name '*.ts')
	@$(LOCAL) npm run --silent build --workspace packages/cli

test: $(ALL) build ## Run the unit and API tests (9 minutes); test/README.md explains how to run one file
	@$(LOCAL) npm run --silent test

test-system: $(ALL) build ## Run the system tests: crashes, command line, browser, clients (11 minutes)
	@$(LOCAL) npm run --silent test:system

check: static audit contract-diff check-secrets test test-system ## Run static, audit, contract-diff, check-secrets, test, and test-system

static: $(ALL) build ## Check formatting, lint, prose, imports, unused code, types, generated files, and the contract (2 minutes)
	@$(MAKE) --no-print-directory --jobs=2 static-types static-text static-packages static-generated

static-types:
	@$(LOCAL) tsc --noEmit

static-text:
	@$(LOCAL) biome check .
	@$(NODE) scripts/lint/error-listeners/check.ts
	@$(NODE) scripts/lint/named-columns/check.ts
	@$(NODE) scripts/lint/prose/check.ts
	@$(LOCAL) depcruise --config .dependency-cruiser.cjs src generated scripts packages
	@$(LOCAL) knip --no-progress

static-packages:
	@for package in contract-diff cli console; do $(LOCAL) tsc -p packages/$$package || exit 1; done

static-generated:
	@$(NODE) scripts/generate/generate.ts --check
	@$(NODE) packages/contract-diff/scripts/rule-pages.ts --check
	@$(NODE) scripts/supply-chain/licenses.ts --check
	@$(LOCAL) redocly lint openapi/openapi.yaml openapi/workflows.arazzo.yaml

format: $(ALL) ## Format all files
	@$(LOCAL) biome check --write .

generate: $(ALL) build ## Regenerate generated/, settings.md, and the pages of the contract rules
	@$(NODE) scripts/generate/generate.ts
	@$(NODE) packages/contract-diff/scripts/rule-pages.ts

##@ Prove

fuzz: $(ALL) ## Send valid, invalid, and hostile requests: RUNS=100 of each; SEED= and OPERATION= repeat a run
	@$(NODE) scripts/proof/fuzz/fuzz.ts

chaos: $(ALL) ## Inject faults under load for SECONDS=60, and check that nothing is lost; SEED=, STORAGE_URL=, CLUSTER=1
	@$(NODE) scripts/proof/chaos/chaos.ts

# Runs the target <name>-$(NAME) of a .mk file; lists all of them if there is no such target.
define by_name
@$(if $(filter $@-$(NAME),$(shell sed -n 's/^\($@-[a-z-]*\):.*/\1/p' $(1))),exec $(MAKE) --no-print-directory $@-$(NAME) NAME=,\
  echo "Usage: make $@ NAME=…"; awk -F ':.*## ' '/^$@-[a-z-]+:/ { printf "  %-16s %s\n", substr($$1, length("$@-") + 1), $$2 }' $(1)$(if $(NAME),; exit 2))
endef

proof: ## Run another proof, such as fuzzing, third-party clients, or deployments; lists them without NAME=
	$(call by_name,scripts/proof/proofs.mk)

##@ Measure

bench: ## Run a benchmark; lists them without NAME=
	$(call by_name,scripts/bench/benches.mk)

include $(wildcard scripts/*/*.mk)

##@ Release

CONTRACT_POLICY := openapi/contract-policy.yaml
# Accepted findings, written by `openapi-contract-diff accept`; the file exists only if there are any.
CONTRACT_EXCEPTIONS := openapi/contract-exceptions.yaml

contract-diff: $(ALL) build ## Compare the contract with its last release, and print the version it needs
	@if ls openapi/released/*.json >/dev/null 2>&1; \
	then $(NODE) node_modules/.bin/openapi-contract-diff openapi/released openapi/openapi.yaml --policy $(CONTRACT_POLICY) \
	  $(if $(wildcard $(CONTRACT_EXCEPTIONS)),--exceptions $(CONTRACT_EXCEPTIONS)); \
	else echo 'There is no release yet, so there is nothing to compare with: `make contract-release` makes the first.'; fi

contract-release: $(ALL) build ## Release the contract: a snapshot in openapi/released, an entry in openapi/CHANGELOG.md
	@$(NODE) scripts/release/release-contract.ts

audit: $(ALL) ## Check packages for known vulnerabilities; REQUIRED=--required fails when the registry is unreachable
	@$(NODE) scripts/supply-chain/audit.ts $(REQUIRED)

licenses: $(ALL) ## Check licenses, versions, and hashes of all packages, and write licenses.md
	@$(NODE) scripts/supply-chain/licenses.ts

sbom: $(ALL) build ## Write SBOMs (CycloneDX) of production and of everything to .data
	@$(NODE) scripts/supply-chain/write-sbom.ts

complete-lockfile: $(ALL) ## Add other platforms to package-lock.json after changing packages
	@$(NODE) scripts/supply-chain/complete-lockfile.ts

check-secrets: $(ALL) ## Scan all files and the git history for secrets
	@$(NODE) scripts/supply-chain/check-secrets.ts

# Rarely needed, so not listed by help; docs/operations/supply-chain.md describes it.
pin-images: $(ALL)
	@$(NODE) scripts/supply-chain/pin-images.ts
