# What `make bench NAME=…` runs; without NAME it lists these, with their options.

bench-requests: $(BENCH) ## Requests, beside other servers that do the same work (14 minutes; SHORT=1 takes 4): REPETITIONS= SECONDS= CHANGES= PEOPLE=
	@SHORT="$(SHORT)" REPETITIONS="$(REPETITIONS)" SECONDS="$(SECONDS)" CHANGES="$(CHANGES)" PEOPLE="$(PEOPLE)" $(NODE) scripts/bench/http.ts

bench-all: $(BENCH) ## All of docs/benchmarks, with the output in docs/benchmarks/runs/ (25 minutes on a quiet machine): PARTS=requests,webhooks,start
	@PARTS="$(PARTS)" $(NODE) scripts/bench/all.ts

bench-fields: $(BENCH) ## People with 20 custom fields, and without: created and listed (2 minutes)
	@$(NODE) scripts/bench/custom-fields.ts

bench-growth: $(BENCH) ## Each operation with 10,000 and with 1,000,000 collaborators (9 minutes)
	@$(NODE) scripts/bench/growth.ts

bench-webhooks: $(BENCH) ## Latency, backlog, hanging receivers, a killed worker (8 minutes): ROUNDS=3 PARTS=latency,kill PEER=/path/to/svix-server
	@$(NODE) scripts/bench/webhooks/webhooks.ts

bench-sheets: $(BENCH) ## Imports and exports of 100,000 people, beside other libraries (6 minutes)
	@$(NODE) scripts/bench/sheets.ts

bench-uploads: $(BENCH) ## Memory of 100 uploads of 10 MB at once, and how long other requests wait
	@$(NODE) scripts/bench/uploads.ts

bench-encryption: $(BENCH) ## Uploads, downloads and ranges of files that are encrypted at rest, beside files that are not (1 minute)
	@$(NODE) scripts/bench/encryption.ts

bench-refusals: $(BENCH) ## The worst requests that fit the limits to every operation: delay, answers, memory (5 minutes)
	@$(NODE) scripts/bench/refusals/refusals.ts

bench-memory: $(BENCH) ## What the memory settings of the image save and cost, beside Node's own (2 minutes)
	@$(NODE) scripts/bench/memory-settings.ts

bench-sizes: $(BENCH) ## Bytes a row of each table and its indexes; docs/operations/capacity.md has them
	@$(NODE) scripts/bench/sizes.ts $(COLLABORATORS)

bench-scale: $(BENCH) ## Sizes, growth, slow statements and a year of events (10 minutes): PEOPLE=10000000 COMPANIES=10000 LARGEST=500000 PARTS=disk,growth,statements,all,year FOLDER=/where/it/stays
	@PEOPLE="$(PEOPLE)" COMPANIES="$(COMPANIES)" LARGEST="$(LARGEST)" PARTS="$(PARTS)" FOLDER="$(FOLDER)" STEPS="$(STEPS)" EVENTS="$(EVENTS)" $(NODE) scripts/bench/scale/scale.ts

bench-cluster: $(BENCH) ## Writes and reads on one Postgres, and on Citus clusters of one machine, of one worker and of two (3 minutes): ROUNDS=5 SECONDS=2
	@$(NODE) scripts/bench/cluster/cluster.ts

bench-processes: $(BENCH) ## What many processes cost the database, idle, under requests and under events (2 minutes): FLEETS="10:4 50:20" are API processes and workers
	@FLEETS="$(FLEETS)" $(NODE) scripts/bench/processes/processes.ts

bench-start: $(BENCH) ## `make run` until it is ready, and processes as the image starts them (1 minute)
	@$(NODE) scripts/bench/start.ts

bench-operations: $(BENCH) ## What more operations in the contract cost the others
	@$(NODE) scripts/bench/operations.ts

bench-engine: $(BENCH) ## What openapi-backend costs a request, as it is and with its slow parts replaced
	@$(NODE) scripts/bench/engine.ts

bench-access: $(BENCH) ## What authentication and authorization cost a request
	@$(NODE) scripts/bench/access.ts

bench-other-workbooks: $(BENCH) ## Reading 20,000 people as xlsx, xls, xlsb and ods, by us and by the package xlsx
	@$(NODE) scripts/bench/other-workbooks.ts

bench-contract-diff: $(ALL) build ## Comparing two contracts, ours and one of 10 MB
	@$(NODE) packages/contract-diff/scripts/bench.ts

bench-profile: $(BENCH) ## A CPU profile of OPERATION=getCollaborator, and where the time goes
	@$(NODE) scripts/bench/profile.ts $(OPERATION)
