-- Brings stored texts of one line into the form in which new ones are stored (src/contract/texts/one-line.ts), so that
-- filters, `values` and keys of imports find them.
--
-- A character that is refused inside a text stays: nobody knows what was meant. So does what may belong to the last visible
-- character (selectors, tags, joiners), a required text that would be blank, and an id that would be the same as another
-- one. Emergency contacts get the form when they are next changed: nothing compares them.
do $$
declare
  unseen_first constant text := '\u0009-\u000d\u0020\u0085\u00a0\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2'
    '\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f'
    '\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a'
    '\U000e0000-\U000e0fff';
  unseen_last constant text := '\u0009-\u000d\u0020\u0085\u00a0\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2'
    '\u115f\u1160\u1680\u17b4\u17b5\u180e\u2000-\u200c\u200e\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff'
    '\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a';
  form constant text := 'nullif(normalize(regexp_replace(regexp_replace(%1$I, ''^[' || unseen_first || ']+'', ''''), ''['
    || unseen_last || ']+$'', ''''), nfc), '''')';
  texts constant text[] := array['name', 'position', 'department', 'phone', 'work_schedule', 'location'];
  required constant text[] := array['name', 'position', 'department'];
  field text;
begin
  foreach field in array texts loop
    execute format(
      'update collaborators set %1$I = ' || form || ' where %1$I is distinct from ' || form
        || case when field = any (required) then ' and ' || form || ' is not null' else '' end,
      field);
  end loop;
  foreach field in array array['external_id', 'employee_number'] loop
    execute format(
      'update collaborators c set %1$I = f.form from (
         select company_id, id, ' || form || ' as form,
           count(*) over (partition by company_id, ' || form || ', deleted_at is null) as same
         from collaborators where %1$I is not null
       ) f where f.company_id = c.company_id and f.id = c.id and c.%1$I is distinct from f.form and (f.same = 1 or f.form is null)',
      field);
  end loop;
end $$;
