# The commands of the project. Each installs what it needs; `make help` lists them, in the groups that begin with `##@`. Proofs and
# benchmarks stand in scripts/proof/proofs.mk and scripts/bench/benches.mk.
.DEFAULT_GOAL := help
SHELL := /bin/sh
# What was made only in part is made again.
.DELETE_ON_ERROR:
# No target is a file.
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' Makefile $(wildcard scripts/*/*.mk))

# Node 24 comes with the packages, whatever version the machine has.
NODE := ./node_modules/.bin/node
# Three sets of packages, each added to the first when a command needs it: what runs the service and builds the console, the
# other servers of scripts/bench, and all that tests, checks, generators and proofs need.
INSTALLED := node_modules/.installed
BENCH := node_modules/.installed-bench
ALL := node_modules/.installed-all
# For what starts programs of the packages by their names.
LOCAL := PATH="$(CURDIR)/node_modules/.bin:$$PATH"
# What the service serves at /console.
CONSOLE := packages/console/dist/index.html
# Compiled code is kept between processes: a start takes a third less.
export NODE_COMPILE_CACHE := $(CURDIR)/node_modules/.cache/node

help: ## Show this list
	@awk -F ':.*## ' \
	  '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' Makefile
	@printf '\nThe command line for operators and users of the API: npm run cli -- --help\n'

##@ Use

run: install $(CONSOLE) ## Start Postgres, API and worker with a demo company, and open the console: COMPANY=empty, OPEN=no
	@exec $(NODE) scripts/run/run.ts

demo: install ## Walk through the API, step by step, against the running service or a fresh one
	@$(NODE) scripts/demo/demo.ts

cluster: $(INSTALLED) ## Start a Citus cluster on this machine: WORKERS=2, CITUS_SOURCE=… builds Citus; STOP=1 stops it
	@exec $(NODE) scripts/cluster/cluster.ts $(if $(STOP),--stop)

install: $(INSTALLED) ## Install the packages that run the service; other commands add what they need

# Of the packages' install scripts only those run that `allowScripts` in package.json allows, with any version of npm.
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

clean: ## Remove the packages and all local data
	rm -rf node_modules .data packages/*/dist packages/*/node_modules packages/*/.data

##@ Develop

# packages/contract-diff is used as it is published, compiled: whatever needs it compiles it when its source is newer.
CONTRACT_DIFF := packages/contract-diff/dist/index.js

# The command line is used as it stands in a checkout, and compiled for others.
CLI := packages/cli/dist/index.js

build: $(CONTRACT_DIFF) $(CLI) $(CONSOLE) ## Compile packages/ to JavaScript, and build the console

console: $(ALL) ## Serve the console with hot reload: SERVICE_URL=http://localhost:8080 is the service
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

test: $(ALL) build ## Run the tests of units and of the API (5 minutes); test/README.md says how to run one file
	@$(LOCAL) npm run --silent test

test-system: $(ALL) build ## Run the tests that start processes: crashes, command line, browser, clients (10 minutes)
	@$(LOCAL) npm run --silent test:system

check: static audit contract-diff check-secrets test test-system ## Run all of static, audit, contract-diff, check-secrets, test and test-system

static: $(ALL) build ## Check format, lint, prose, imports, unused code, types, generated files, contract (1 minute)
	@$(LOCAL) biome check .
	@$(NODE) scripts/lint/error-listeners/check.ts
	@$(NODE) scripts/lint/named-columns/check.ts
	@$(NODE) scripts/lint/prose/check.ts
	@$(LOCAL) depcruise --config .dependency-cruiser.cjs src generated scripts packages
	@$(LOCAL) knip --no-progress
	@$(LOCAL) tsc --noEmit
	@for package in contract-diff cli console; do $(LOCAL) tsc -p packages/$$package || exit 1; done
	@$(NODE) scripts/generate/generate.ts --check
	@$(NODE) packages/contract-diff/scripts/rule-pages.ts --check
	@$(NODE) scripts/supply-chain/licenses.ts --check
	@$(LOCAL) redocly lint openapi/openapi.yaml openapi/workflows.arazzo.yaml

format: $(ALL) ## Format all files
	@$(LOCAL) biome check --write .

generate: $(ALL) build ## Write generated/, settings.md and the pages of the contract rules from their sources
	@$(NODE) scripts/generate/generate.ts
	@$(NODE) packages/contract-diff/scripts/rule-pages.ts

##@ Prove

fuzz: $(ALL) ## Send valid, faulty and hostile requests: RUNS=100 each; SEED= and OPERATION= repeat a run (some minutes)
	@$(NODE) scripts/proof/fuzz/fuzz.ts

chaos: $(ALL) ## Break everything under load for SECONDS=60 and check that nothing is lost; SEED=, STORAGE_URL=, CLUSTER=1
	@$(NODE) scripts/proof/chaos/chaos.ts

# Runs a target of a .mk file by the end of its name, and lists them all where there is none of that name.
define by_name
@$(if $(filter $@-$(NAME),$(shell sed -n 's/^\($@-[a-z-]*\):.*/\1/p' $(1))),exec $(MAKE) --no-print-directory $@-$(NAME),\
  echo "Usage: make $@ NAME=…"; awk -F ':.*## ' '/^$@-[a-z-]+:/ { printf "  %-16s %s\n", substr($$1, length("$@-") + 1), $$2 }' $(1)$(if $(NAME),; exit 2))
endef

proof: ## Run one of the other proofs: fuzzing, other servers and clients, deployments; lists them without NAME=
	$(call by_name,scripts/proof/proofs.mk)

##@ Measure

bench: ## Run a benchmark; lists them without NAME=
	$(call by_name,scripts/bench/benches.mk)

include $(wildcard scripts/*/*.mk)

##@ Release

CONTRACT_POLICY := openapi/contract-policy.yaml
# Findings that were accepted: made by `openapi-contract-diff accept` when there are any.
CONTRACT_EXCEPTIONS := openapi/contract-exceptions.yaml

contract-diff: $(ALL) build ## Compare the contract with its last release, and say which version it needs
	@if ls openapi/released/*.json >/dev/null 2>&1; \
	then $(NODE) node_modules/.bin/openapi-contract-diff openapi/released openapi/openapi.yaml --policy $(CONTRACT_POLICY) \
	  $(if $(wildcard $(CONTRACT_EXCEPTIONS)),--exceptions $(CONTRACT_EXCEPTIONS)); \
	else echo 'There is no release yet, so there is nothing to compare with: `make contract-release` makes the first.'; fi

contract-release: $(ALL) build ## Release the contract: a snapshot in openapi/released, an entry in openapi/CHANGELOG.md
	@$(NODE) scripts/release/release-contract.ts

audit: $(ALL) ## Ask the registry for known vulnerabilities; REQUIRED=--required fails without an answer
	@$(NODE) scripts/supply-chain/audit.ts $(REQUIRED)

licenses: $(ALL) ## Check licenses, versions and hashes of all packages, and write licenses.md
	@$(NODE) scripts/supply-chain/licenses.ts

sbom: $(ALL) build ## Write the bills of materials (CycloneDX) of production and of everything to .data
	@$(NODE) scripts/supply-chain/write-sbom.ts

complete-lockfile: $(ALL) ## Complete package-lock.json for other platforms after a change of packages
	@$(NODE) scripts/supply-chain/complete-lockfile.ts

check-secrets: $(ALL) ## Look for secrets in all files and in the history
	@$(NODE) scripts/supply-chain/check-secrets.ts

# Rare, and told in docs/operations/supply-chain.md: the page of the API reference, and the digests of images.
vendor-scalar: $(ALL)
	@$(NODE) scripts/supply-chain/vendor-scalar.ts $(VERSION)

pin-images: $(ALL)
	@$(NODE) scripts/supply-chain/pin-images.ts
