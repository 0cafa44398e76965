# What `make proof NAME=…` runs; without NAME it lists these, with their options.

proof-guard: $(ALL) ## Run COUNT=100000 statements that the tenant guard allows, with and without another company's rows; SEED= (4 minutes)
	@$(NODE) scripts/proof/guard/prove-guard.ts

proof-fuzz-tenants: $(ALL) ## Let users of two companies do anything, and look for data that crosses over (some minutes)
	@$(NODE) scripts/proof/fuzz/fuzz-tenants.ts

proof-fuzz-files: $(ALL) ## Take apart workbooks, forms and images that are almost right, for TIME=600 seconds; SEED= and KINDS=
	@$(NODE) scripts/proof/fuzz-files/fuzz-files.ts

proof-soak: $(ALL) ## Load the service steadily for MINUTES=10 and check that memory, handles and tables do not grow
	@$(NODE) scripts/proof/soak/soak.ts

proof-exchanges: $(ALL) ## Run TESTS=… of the API (all without it), and validate each exchange with another validator
	@rm -rf .data/exchanges && mkdir -p .data/exchanges
	@$(LOCAL) EXCHANGES="$(CURDIR)/.data/exchanges" npm run --silent jest -- --selectProjects api $(if $(TESTS),--testPathPatterns $(TESTS))
	@$(NODE) scripts/proof/exchanges/check-exchanges.ts .data/exchanges

proof-documents: $(ALL) ## Lint both documents by Spectral and others, and hold answers to TESTS=test/api/operations against them
	@rm -rf .data/exchanges && mkdir -p .data/exchanges
	@$(LOCAL) EXCHANGES="$(CURDIR)/.data/exchanges" npm run --silent jest -- --selectProjects api --testPathPatterns $(or $(TESTS),test/api/operations)
	@$(NODE) scripts/proof/documents/check-documents.ts .data/exchanges

proof-workflows: $(ALL) ## Run the workflows of openapi/workflows.arazzo.yaml against a fresh service
	@$(NODE) scripts/proof/workflows.ts

proof-sdks: $(ALL) ## Generate clients in nine languages and use each against a live service; CLIENTS="go java" (10 minutes)
	@$(NODE) scripts/proof/sdk-check/sdk-check.ts $(CLIENTS)

proof-guides: $(ALL) ## Try the guides for Zapier and Postman with their own tools, which it downloads; GUIDES=zapier (2 minutes)
	@$(NODE) scripts/proof/guides-check/guides-check.ts $(GUIDES)

proof-contract-peers: $(ALL) build ## Our verdicts on the test cases beside those of Redocly and oasdiff (some minutes)
	@$(NODE) packages/contract-diff/scripts/peers/cases.ts

proof-readers: $(ALL) ## Read the workbooks of other projects' tests by our reader and others; CORPORA="poi gnumeric" FOLDERS=… (10 minutes)
	@$(NODE) scripts/proof/compare-readers/compare-readers.ts $(CORPORA) $(foreach folder,$(FOLDERS),--folder $(folder))

proof-templates: $(ALL) ## Fill in the import template with other programs, and import it; PROGRAMS="libreoffice poi openpyxl" (2 minutes)
	@$(NODE) scripts/proof/check-templates/check-templates.ts $(PROGRAMS)

proof-offices: $(ALL) ## Import ten files as offices make them, and write docs/guides/office-files.md
	@$(LOCAL) RECORD=1 npm run --silent jest -- test/system/imports/offices.test.ts

proof-store: $(ALL) ## Run the tests that keep files, or TESTS=…, against the store of STORAGE_URL=…
	@$(NODE) scripts/proof/stores/test-store.ts $(TESTS)

proof-stores: $(ALL) ## Run these tests and a short chaos against stores that it downloads; STORES="versitygw moto" (15 minutes)
	@$(NODE) scripts/proof/stores/check-stores.ts $(STORES)

proof-postgres: $(ALL) build ## Run the tests on Postgres versions that it downloads; VERSION="15 16 17" TESTS=test/platform (6 minutes each)
	@$(NODE) scripts/proof/test-postgres/test-postgres.ts $(if $(VERSION),--versions "$(VERSION)") $(TESTS)

proof-pgbouncer: $(ALL) ## Run TESTS=test/api/operations through pgbouncer, which must be installed, in transaction mode
	@$(NODE) scripts/proof/check-pgbouncer.ts $(TESTS)

proof-cluster: $(ALL) build ## Run the tests of the API, of the cluster and the demo on a Citus cluster, if there is Citus; WORKERS=2 TESTS=…
	@$(LOCAL) $(NODE) scripts/cluster/test-cluster.ts $(TESTS)

proof-proxies: $(ALL) build ## Run test/proxies behind Caddy and nginx, which it fetches; PROXIES="caddy nginx" FETCH=no (3 minutes)
	@$(LOCAL) PROXIES="$(PROXIES)" FETCH="$(FETCH)" $(NODE) scripts/proof/proxies/test-proxies.ts $(TESTS)

proof-upgrade: $(ALL) build ## Replace processes of FROM=<commit> by those of this one and back, under load (1 minute)
	@$(LOCAL) FROM="$(FROM)" npm run --silent jest -- test/system/upgrade

proof-helm: $(ALL) ## Check the Helm chart by helm, which it fetches where Go is; RECORD=1 keeps what the tests read (1 minute)
	@$(NODE) scripts/proof/check-helm/check-helm.ts

proof-alerts: ## Check by promtool, which comes with Prometheus, that the alerts fire when they should (a second)
	@command -v promtool > /dev/null || { echo 'There is no promtool here; it comes with Prometheus.'; exit 1; }
	@cd deploy/prometheus && promtool test rules alerts_test.yaml

proof-screenshots: $(ALL) ## Keep pictures of all pages and mails in each language, in .data/screenshots (1 minute)
	@$(NODE) scripts/proof/screenshots/screenshots.ts

proof-pictures: $(ALL) $(CONSOLE) ## Take the pictures of README and docs from the console, with the demo company (1 minute)
	@$(NODE) scripts/proof/pictures/pictures.ts

proof-clones: install ## Run the tests in RUNS=10 fresh clones, files in another order each time, BUSY=5 beside two endless loops: SEED=1 TIER=test (an hour)
	@RUNS="$(or $(RUNS),10)" BUSY="$(or $(BUSY),5)" SEED="$(or $(SEED),1)" TIER="$(or $(TIER),test)" $(NODE) scripts/proof/clones.ts

proof-mutants: $(ALL) build ## Make small mistakes in the code, and see whether the tests notice: ROOM=access MOST=20 SEED=1 (10 seconds each)
	@ROOM="$(ROOM)" MOST="$(or $(MOST),20)" SEED="$(or $(SEED),1)" $(NODE) scripts/proof/mutants/mutants.ts

proof-clients: $(ALL) ## Sign in with other people's OAuth and OpenID Connect clients, in CLIENTS=… or all (5 minutes at first)
	@$(NODE) scripts/proof/clients/clients.ts $(CLIENTS)

proof-scim: $(ALL) ## Hold SCIM against scim2-tester (by pip), and push PEOPLE=10000 twice by five connections (5 minutes)
	@PEOPLE=$(or $(PEOPLE),10000) $(NODE) scripts/proof/scim/scim.ts
