-- The keys of a row in one pass over its pieces: the same values in the same order, so that the index stays as it is, in
-- two thirds of the time, which was a third of what a new row costs.
create or replace function search_keys(company_id uuid, value text) returns bigint[]
  language sql immutable parallel safe strict
  return array(
    select hashtextextended(substr(value, n, size), seed)
    from (
      select 3 as size, uuid_hash_extended(company_id, 3) as seed
      union all
      select 5, uuid_hash_extended(company_id, 5)
    ) sizes, generate_series(1, length(value) - size + 1) n
  ) || uuid_hash_extended(company_id, 0);
