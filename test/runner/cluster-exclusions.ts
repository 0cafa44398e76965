/** Files of the api tier that can't run on a cluster, with the reason: `make proof NAME=cluster` skips and lists them. */
export const clusterExclusions: Readonly<Record<string, string>> = {
  'test/platform/schema/distribute.test.ts':
    'distributes tables itself, by functions that stand in for those of Citus: it needs tables that are not distributed',
  'test/platform/schema/machines.test.ts': 'is about one Postgres, which has no machines to look after',
  'test/platform/schema/statistics.test.ts':
    'reads the statistics of one machine, and on a cluster each keeps those of its shards',
  'test/product/delivery/found-by-id.test.ts': 'reads plans of one Postgres, and a cluster shows those of its machines',
  'test/product/imports/starter-demoted-during-import.test.ts': 'makes a trigger, and a distributed table takes none',
};
