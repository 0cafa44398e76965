# The front door: every target installs what it needs. `make help` lists them.
.DEFAULT_GOAL := help
SHELL := /bin/sh
# No target is a file.
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' Makefile)

# Node 24 comes with the packages, whatever version the machine has.
NODE := ./node_modules/.bin/node
INSTALLED := node_modules/.package-lock.json
# Compiled code is kept between processes: a start takes a third less.
export NODE_COMPILE_CACHE := $(CURDIR)/node_modules/.cache/node

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

install: $(INSTALLED) ## Install the packages of the lockfile

$(INSTALLED): package.json package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	@touch $(INSTALLED)

run: install ## Start database, API and a demo company, and print what to do next
	@exec $(NODE) scripts/run/run.ts

demo: install ## Walk through the API against the running service, or a fresh one
	@$(NODE) scripts/demo/demo.ts

sdk-check: install ## Generate clients in TypeScript, Python, Go and Java, and take a trip with each (some minutes)
	@$(NODE) scripts/proof/sdk-check/sdk-check.ts

workflows: install ## Run the workflows of openapi/workflows.arazzo.yaml against a fresh service
	@$(NODE) scripts/proof/workflows.ts

test: install ## Run all tests
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" npm run --silent test

check: static audit contract-diff check-secrets test ## Everything that CI checks: format, lint, arrows, types, generated files, contract, tests

check-pgbouncer: install ## Run TESTS=test/operations through pgbouncer in transaction mode, which has to be installed
	@$(NODE) scripts/proof/check-pgbouncer.ts $(TESTS)

static: install
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" npm run --silent static

check-secrets: install ## Look for secrets in all files, and in the history of the repository
	@$(NODE) scripts/supply-chain/check-secrets.ts

generate: install ## Write generated/ anew from openapi/ and the migrations, and the rules of the contract diff
	@$(NODE) scripts/generate/generate.ts
	@$(NODE) scripts/contract-rules.ts

contract-diff: install ## Compare the contract with its last release, and say which version is needed
	@if ls openapi/released/*.json >/dev/null 2>&1; \
	then $(NODE) scripts/contract-diff.ts openapi/released openapi/openapi.yaml; \
	else echo 'There is no release yet, so there is nothing to compare with: `make contract-release` makes the first.'; fi

contract-release: install ## Release the contract: snapshot in openapi/released, entry in openapi/CHANGELOG.md
	@$(NODE) scripts/release/release-contract.ts

contract-peers: install ## Show our verdicts on the test cases beside those of Redocly and oasdiff (some minutes)
	@$(NODE) scripts/contract-peers.ts

audit: install ## Ask the registry for known faults of our packages; `make audit REQUIRED=--required` where an answer is a must
	@$(NODE) scripts/supply-chain/audit.ts $(REQUIRED)

licenses: install ## Check licences, versions and hashes of all packages, and write docs/operations/licenses.md
	@$(NODE) scripts/supply-chain/licenses.ts

sbom: install ## Write .data/sbom.cdx.json, the bill of materials (CycloneDX)
	@$(NODE) scripts/supply-chain/write-sbom.ts

format: install ## Format the code
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" npm run --silent format

fuzz: install ## Attack a fresh service: RUNS=100 for each operation and kind, SEED= and OPERATION= repeat (some minutes)
	@$(NODE) scripts/proof/fuzz/fuzz.ts

fuzz-tenants: install ## Let users of two companies do anything, and look for anything that crosses over (some minutes)
	@$(NODE) scripts/proof/fuzz/fuzz-tenants.ts

bench: install ## Measure the service beside peers that do the same work, and write docs/benchmarks/ (some minutes)
	@$(NODE) scripts/bench/http.ts $(or $(REPETITIONS),6) $(or $(SECONDS),5) 5 $(or $(PEOPLE),10000)

profile: install ## Write a CPU profile of OPERATION=getCollaborator, and print where the time goes
	@$(NODE) scripts/bench/profile.ts $(OPERATION)

bench-growth: install ## Measure how each operation grows from 10,000 to 1,000,000 collaborators (some minutes)
	@$(NODE) scripts/bench/growth.ts

bench-webhooks: install ## Measure how fast webhooks leave, and what they cost who writes (some minutes)
	@$(NODE) scripts/bench/webhooks.ts

bench-uploads: install ## Measure what 100 uploads of 10 MB at once cost in memory, and how long others wait
	@$(NODE) scripts/bench/uploads.ts

bench-sheets: install ## Measure imports and exports of 100,000 people, and the libraries behind them (some minutes)
	@$(NODE) scripts/bench/sheets.ts

bench-contract-diff: install ## Measure how long comparing two contracts takes, of ours and of 10 MB
	@$(NODE) scripts/bench/contract-diff.ts

bench-start: install ## Measure how long `make run` takes to be ready
	@$(NODE) scripts/bench/start.ts

bench-operations: install ## Measure what more operations in the contract cost the others
	@$(NODE) scripts/bench/operations.ts

bench-access: install ## Measure what authentication and authorisation cost a request
	@$(NODE) scripts/bench/access.ts

chaos: install ## Break everything under load for SECONDS=60, and check that nothing was lost; SEED=… repeats a run
	@$(NODE) scripts/proof/chaos/chaos.ts

soak: install ## Load the service steadily for MINUTES=10, and check that memory, handles and tables stay level
	@$(NODE) scripts/proof/soak/soak.ts

clean: ## Remove packages and local data
	rm -rf node_modules .data
