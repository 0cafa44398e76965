-- A search looks for a part of a name, of an address or of a position. Each is a line of `search_text`; pieces that begin in one and
-- end in the next were found by nobody, and had a seventh of the index.
--
-- What is in the index of rows from before is more than is asked for, so it stays as it is; `reindex index concurrently
-- collaborators_search` frees the space.

create or replace function search_pieces(company_id uuid, value text, size integer) returns bigint[]
  language sql immutable parallel safe strict
  return array(
    select hashtextextended(substr(value, n, size), uuid_hash_extended(company_id, size))
    from generate_series(1, length(value) - size + 1) n
    where position(chr(10) in substr(value, n, size)) = 0
  );

create or replace function search_keys(company_id uuid, value text) returns bigint[]
  language sql immutable parallel safe strict
  return array(
    select hashtextextended(substr(value, n, size), seed)
    from (
      select 3 as size, uuid_hash_extended(company_id, 3) as seed
      union all
      select 5, uuid_hash_extended(company_id, 5)
    ) sizes, generate_series(1, length(value) - size + 1) n
    where position(chr(10) in substr(value, n, size)) = 0
  ) || uuid_hash_extended(company_id, 0);

-- The company alone for a term that has no piece within a line; its first key is asked for by itself, so there has to be one.
create or replace function search_term_keys(company_id uuid, term text) returns bigint[]
  language sql immutable parallel safe strict
  return coalesce(
    nullif(
      case
        when length(term) >= 5 then search_pieces(company_id, term, 5)
        when length(term) >= 3 then search_pieces(company_id, term, 3)
      end,
      '{}'
    ),
    array[uuid_hash_extended(company_id, 0)]
  );
