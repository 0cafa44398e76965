# Proofs of `make proof NAME=…`; without NAME it lists them with their options.

proof-guard: $(ALL) ## Run COUNT=100000 statements that the tenant guard allows, with and without another company's rows; SEED= (4 minutes)
	@$(NODE) scripts/proof/guard/prove-guard.ts

proof-fuzz-tenants: $(ALL) ## Let users of two companies send random requests, and look for data leaking between them (a few minutes)
	@$(NODE) scripts/proof/fuzz/fuzz-tenants.ts

proof-fuzz-files: $(ALL) ## Parse mutated workbooks, forms, and images for TIME=600 seconds; SEED= and KINDS=
	@$(NODE) scripts/proof/fuzz-files/fuzz-files.ts

proof-soak: $(ALL) ## Keep the service under steady load for MINUTES=10, and check for leaks of memory, handles, and rows
	@$(NODE) scripts/proof/soak/soak.ts

proof-exchanges: $(ALL) ## Run the API tests (or TESTS=…), and validate each request and response with an independent validator
	@rm -rf .data/exchanges && mkdir -p .data/exchanges
	@$(LOCAL) EXCHANGES="$(CURDIR)/.data/exchanges" npm run --silent jest -- --selectProjects api $(if $(TESTS),--testPathPatterns $(TESTS))
	@$(NODE) scripts/proof/exchanges/check-exchanges.ts .data/exchanges

proof-documents: $(ALL) ## Lint both OpenAPI documents with Spectral and others, and validate the responses to TESTS=test/api/operations
	@rm -rf .data/exchanges && mkdir -p .data/exchanges
	@$(LOCAL) EXCHANGES="$(CURDIR)/.data/exchanges" npm run --silent jest -- --selectProjects api --testPathPatterns $(or $(TESTS),test/api/operations)
	@$(NODE) scripts/proof/documents/check-documents.ts .data/exchanges

proof-workflows: $(ALL) ## Run the workflows of openapi/workflows.arazzo.yaml against a new service
	@$(NODE) scripts/proof/workflows.ts

proof-sdks: $(ALL) ## Generate clients in nine languages, and use each against a live service; CLIENTS="go java" (10 minutes)
	@$(NODE) scripts/proof/sdk-check/sdk-check.ts $(CLIENTS)

proof-guides: $(ALL) ## Test the Zapier and Postman guides with the vendors' tools, which it downloads; GUIDES=zapier (2 minutes)
	@$(NODE) scripts/proof/guides-check/guides-check.ts $(GUIDES)

proof-contract-peers: $(ALL) build ## Compare contract-diff with Redocly and oasdiff on its test cases (a few minutes)
	@$(NODE) packages/contract-diff/scripts/peers/cases.ts

proof-lighthouse: $(ALL) build ## Score the public pages with Lighthouse as phone and desktop, at least 95 each; PAGES="/docs /docs/try" (5 minutes)
	@PAGES="$(PAGES)" $(NODE) scripts/proof/lighthouse/lighthouse.ts

proof-readers: $(ALL) ## Read other projects' test workbooks with our reader and others; CORPORA="poi gnumeric" FOLDERS=… (10 minutes)
	@$(NODE) scripts/proof/compare-readers/compare-readers.ts $(CORPORA) $(foreach folder,$(FOLDERS),--folder $(folder))

proof-templates: $(ALL) ## Fill in the import template with other programs, and import it; PROGRAMS="libreoffice poi openpyxl" (2 minutes)
	@$(NODE) scripts/proof/check-templates/check-templates.ts $(PROGRAMS)

proof-offices: $(ALL) ## Import ten real-world files, and write docs/guides/office-files.md
	@$(LOCAL) RECORD=1 npm run --silent jest -- test/system/imports/offices.test.ts

proof-store: $(ALL) ## Run the file storage tests, or TESTS=…, against the object store at STORAGE_URL=…
	@$(NODE) scripts/proof/stores/test-store.ts $(TESTS)

proof-stores: $(ALL) ## Run the same tests and a short chaos run against object stores that it downloads; STORES="versitygw moto" (15 minutes)
	@$(NODE) scripts/proof/stores/check-stores.ts $(STORES)

proof-postgres: $(ALL) build ## Run the tests on Postgres versions that it downloads; VERSION="15 16 17" TESTS=test/platform (6 minutes each)
	@$(NODE) scripts/proof/test-postgres/test-postgres.ts $(if $(VERSION),--versions "$(VERSION)") $(TESTS)

proof-pgbouncer: $(ALL) ## Run TESTS=test/api/operations through pgbouncer (must be installed) in transaction mode
	@$(NODE) scripts/proof/check-pgbouncer.ts $(TESTS)

proof-cluster: $(ALL) build ## Run the API tests, cluster tests, and demo on a Citus cluster, if Citus is installed; WORKERS=2 TESTS=…
	@$(LOCAL) $(NODE) scripts/cluster/test-cluster.ts $(TESTS)

proof-proxies: $(ALL) build ## Run test/proxies behind Caddy and nginx, which it downloads; PROXIES="caddy nginx" FETCH=no (3 minutes)
	@$(LOCAL) PROXIES="$(PROXIES)" FETCH="$(FETCH)" $(NODE) scripts/proof/proxies/test-proxies.ts $(TESTS)

proof-upgrade: $(ALL) build ## Upgrade processes from FROM=<commit> to this one and roll back, under load (1 minute)
	@$(LOCAL) FROM="$(FROM)" npm run --silent jest -- test/system/upgrade

proof-helm: $(ALL) ## Check the Helm chart with helm, which it installs if Go is available; RECORD=1 updates the test fixtures (1 minute)
	@$(NODE) scripts/proof/check-helm/check-helm.ts

proof-alerts: ## Test the alert rules with promtool (part of Prometheus; takes a second)
	@command -v promtool > /dev/null || { echo 'There is no promtool here; it comes with Prometheus.'; exit 1; }
	@cd deploy/prometheus && promtool test rules alerts_test.yaml

proof-pictures: $(ALL) $(CONSOLE) ## Take the screenshots of README and docs from the console, with the demo company (1 minute)
	@$(NODE) scripts/proof/pictures/pictures.ts

proof-clones: install ## Run the tests in RUNS=10 fresh clones in random file order, AT_ONCE=1, BUSY=5 of them under CPU load: SEED=1 TIER=test (2 hours)
	@RUNS="$(or $(RUNS),10)" BUSY="$(or $(BUSY),5)" SEED="$(or $(SEED),1)" AT_ONCE="$(or $(AT_ONCE),1)" TIER="$(or $(TIER),test)" $(NODE) scripts/proof/clones.ts

proof-mutants: $(ALL) build ## Mutation testing: make small mistakes in the code, and check that tests fail: ROOM=access MOST=20 SEED=1 (10 seconds each)
	@ROOM="$(ROOM)" MOST="$(or $(MOST),20)" SEED="$(or $(SEED),1)" $(NODE) scripts/proof/mutants/mutants.ts

proof-clients: $(ALL) ## Sign in with third-party OAuth and OpenID Connect clients: CLIENTS=… or all (5 minutes the first time)
	@$(NODE) scripts/proof/clients/clients.ts $(CLIENTS)

proof-scim: $(ALL) ## Test SCIM with scim2-tester (installed with pip), and push PEOPLE=10000 twice over five connections (5 minutes)
	@PEOPLE=$(or $(PEOPLE),10000) $(NODE) scripts/proof/scim/scim.ts
