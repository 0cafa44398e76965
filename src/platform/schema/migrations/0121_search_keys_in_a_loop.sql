-- The same keys in the same order as before, so that the index stays as it is, in a quarter of the time, which was a third of
-- what a new row costs: the statement made a row of each piece, and looked into each for the end of a line.
create or replace function search_keys(company_id uuid, value text) returns bigint[]
  language plpgsql immutable parallel safe strict as $$
declare
  keys bigint[] := '{}';
  lines constant text[] := string_to_array(value, chr(10));
  line text;
  size integer;
  seed bigint;
begin
  foreach size in array array[3, 5] loop
    seed := uuid_hash_extended(company_id, size);
    foreach line in array lines loop
      for n in 1 .. length(line) - size + 1 loop
        keys := keys || hashtextextended(substr(line, n, size), seed);
      end loop;
    end loop;
  end loop;
  return keys || uuid_hash_extended(company_id, 0);
end
$$;
