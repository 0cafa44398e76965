# Benchmarks of `make bench NAME=…`; without NAME it lists them with their options.

bench-requests: $(BENCH) ## Requests, compared with other servers that do the same work (14 minutes; SHORT=1 takes 4): REPETITIONS= SECONDS= CHANGES= PEOPLE=
	@SHORT="$(SHORT)" REPETITIONS="$(REPETITIONS)" SECONDS="$(SECONDS)" CHANGES="$(CHANGES)" PEOPLE="$(PEOPLE)" $(NODE) scripts/bench/harness/http.ts

bench-all: $(BENCH) ## All benchmarks of docs/benchmarks, with output in docs/benchmarks/runs/ (25 minutes on an idle machine): PARTS=requests,webhooks,start
	@PARTS="$(PARTS)" $(NODE) scripts/bench/all.ts

bench-fields: $(BENCH) ## Create and list people, with and without 20 custom fields (2 minutes)
	@$(NODE) scripts/bench/custom-fields.ts

bench-console: $(BENCH) build ## Each screen of the console with 50 and with 5,000 people (6 minutes): ROUNDS=5
	@ROUNDS="$(ROUNDS)" $(NODE) scripts/bench/console.ts

bench-growth: $(BENCH) ## Each operation with 10,000 and with 1,000,000 collaborators (9 minutes)
	@$(NODE) scripts/bench/growth.ts

bench-webhooks: $(BENCH) ## Webhook latency, backlog, hanging receivers, a killed worker (8 minutes): ROUNDS=3 PARTS=latency,kill PEER=/path/to/svix-server
	@$(NODE) scripts/bench/webhooks/webhooks.ts

bench-sheets: $(BENCH) ## Imports and exports of 100,000 people, compared with other libraries (6 minutes)
	@$(NODE) scripts/bench/sheets.ts

bench-uploads: $(BENCH) ## Memory of 100 concurrent 10 MB uploads, and the latency of other requests
	@$(NODE) scripts/bench/uploads.ts

bench-encryption: $(BENCH) ## Uploads, downloads, and ranges of files with and without encryption at rest (1 minute)
	@$(NODE) scripts/bench/encryption.ts

bench-refusals: $(BENCH) ## The most expensive requests within the limits, for every operation: latency, responses, memory (5 minutes)
	@$(NODE) scripts/bench/refusals/refusals.ts

bench-memory: $(BENCH) ## Savings and cost of the image's memory settings, compared with Node's defaults (4 minutes): INSTEAD='--max-semi-space-size=8'
	@INSTEAD="$(INSTEAD)" $(NODE) scripts/bench/memory-settings.ts

bench-sizes: $(BENCH) ## Bytes per row of each table and its indexes, for docs/operations/capacity.md
	@$(NODE) scripts/bench/sizes.ts $(COLLABORATORS)

bench-scale: $(BENCH) ## Sizes, growth, slow statements, and a year of events (10 minutes): PEOPLE=10000000 COMPANIES=10000 LARGEST=500000 PARTS=disk,growth,statements,all,year FOLDER=/path/to/keep/data
	@PEOPLE="$(PEOPLE)" COMPANIES="$(COMPANIES)" LARGEST="$(LARGEST)" PARTS="$(PARTS)" FOLDER="$(FOLDER)" STEPS="$(STEPS)" EVENTS="$(EVENTS)" $(NODE) scripts/bench/scale/scale.ts

bench-indexes: $(BENCH) ## Cost of indexes on the people table when people are added (1 minute): INDEXES= INSTEAD= PEOPLE= ROUNDS=
	@INDEXES="$(INDEXES)" INSTEAD="$(INSTEAD)" PEOPLE="$(PEOPLE)" ROUNDS="$(ROUNDS)" $(NODE) scripts/bench/indexes.ts

bench-cluster: $(BENCH) ## Writes and reads on plain Postgres, and on Citus with no, one, and two workers (3 minutes): ROUNDS=5 SECONDS=2
	@$(NODE) scripts/bench/cluster/cluster.ts

bench-processes: $(BENCH) ## Database cost of many processes: idle, under requests, and under events (2 minutes): FLEETS="10:4 50:20" (API processes:workers)
	@FLEETS="$(FLEETS)" $(NODE) scripts/bench/processes/processes.ts

bench-start: $(BENCH) ## Startup time of `make run`, and of processes as the image starts them (1 minute)
	@$(NODE) scripts/bench/start.ts

bench-operations: $(BENCH) ## Cost of additional operations in the contract for the existing ones
	@$(NODE) scripts/bench/operations.ts

bench-engine: $(BENCH) ## Cost of openapi-backend per request, unmodified and with its slow parts replaced
	@$(NODE) scripts/bench/engine.ts

bench-access: $(BENCH) ## Cost of authentication and authorization per request
	@$(NODE) scripts/bench/access.ts

bench-other-workbooks: $(BENCH) ## Reading 20,000 people as xlsx, xls, xlsb, and ods, compared with the package xlsx
	@$(NODE) scripts/bench/other-workbooks.ts

bench-contract-diff: $(ALL) build ## Time to compare two versions of our contract, and of a 10 MB contract
	@$(NODE) packages/contract-diff/scripts/bench.ts

bench-profile: $(BENCH) ## CPU profile of OPERATION=getCollaborator by part and function; PEER=fastify profiles a peer
	@$(NODE) scripts/bench/profile.ts '$(OPERATION)'
