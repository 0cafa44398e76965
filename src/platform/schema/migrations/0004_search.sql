-- A search reads only what the company itself has: every key of the index is a piece of text within one company.
--
-- With the company beside trigrams the index had to intersect the list of everyone in the company, and with common
-- trigrams the lists of everyone in all companies, so that the time of a search grew with both.

-- All pieces of a text that are so many characters long, as hashes. Two pieces with the same hash cost a look at a row
-- that does not match, and nothing else.
create function search_pieces(company_id uuid, value text, size integer) returns bigint[]
  language sql immutable parallel safe strict
  return array(
    select hashtextextended(substr(value, n, size), uuid_hash_extended(company_id, size))
    from generate_series(1, length(value) - size + 1) n
  );

-- What a row is found by: pieces of three characters, pieces of five (there are far more different ones, so that the list
-- behind each stays short in a large company), and the company alone.
create function search_keys(company_id uuid, value text) returns bigint[]
  language sql immutable parallel safe strict
  return search_pieces(company_id, value, 3) || search_pieces(company_id, value, 5)
    || uuid_hash_extended(company_id, 0);

-- What a row must have among its keys to contain a term, which is in search_form.
create function search_term_keys(company_id uuid, term text) returns bigint[]
  language sql immutable parallel safe strict
  return case
    when length(term) >= 5 then search_pieces(company_id, term, 5)
    when length(term) >= 3 then search_pieces(company_id, term, 3)
    else array[uuid_hash_extended(company_id, 0)]
  end;

drop index collaborators_search;
create index collaborators_search on collaborators
  using gin (search_keys(company_id, search_text)) where deleted_at is null;
drop extension btree_gin;
