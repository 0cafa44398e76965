/** The company's custom fields, in order. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { permissionsQuery } from '../../api/client/session.ts';
import { docsUrl } from '../../api/client/sign-in.ts';
import { allFieldsQuery, type CustomField, changeField } from '../../api/custom-fields.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { labelOf } from '../../parts/fields/custom-values.ts';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { moveItem, SortableList } from '../../parts/lists/sortable-list.tsx';
import { Badge, Empty, Heading, Loading } from '../../parts/small.tsx';
import { toast } from '../../parts/toasts/toasts.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { DeletionProgress } from './deletion.tsx';
import { minRoleNames, settingNames, typeNames } from './names.ts';

const maxActive = 100;

export function Fields() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const may = rights?.has('createCustomField') ?? false;
  const { data, error, refetch } = useQuery({ ...allFieldsQuery(company), enabled: may });
  const active = data?.filter(({ archived, deletion }) => !archived && !deletion) ?? [];
  return (
    <>
      <Heading
        title={t`Fields`}
        aside={
          may && (
            <Link to="/$company/fields/new-field" params={{ company }} className="button primary">
              {t`Define a field`}
            </Link>
          )
        }
      />
      <p className="lead">{t`Your own fields, in addition to the built-in ones.`}</p>
      {may ? (
        <>
          {error && <Problem error={error} retry={refetch} />}
          {!data && !error && <Loading />}
          {data?.length === 0 && <None />}
          {active.length > 0 && <Active company={company} fields={active} all={data!} />}
          {data && <Others company={company} fields={data.filter((field) => !active.includes(field))} />}
        </>
      ) : (
        <Forbidden />
      )}
    </>
  );
}

function None() {
  return (
    <Empty title={t`No fields yet`}>
      <p>{t`Define a field, for example a shirt size or a badge number. It then appears on every person, in imports, and in exports.`}</p>
      <a className="button" href={`${docsUrl}/guides/custom-fields`}>
        {t`How custom fields work`}
      </a>
    </Empty>
  );
}

interface ActiveProps {
  company: string;
  fields: readonly CustomField[];
  all: readonly CustomField[];
}

function Active({ company, fields, all }: ActiveProps) {
  const queries = useQueryClient();
  const { queryKey } = allFieldsQuery(company);
  const mutationKey = [company, 'custom-fields', 'order'];
  const { mutate, error } = useMutation({
    mutationKey,
    // One after the other: the network may change the order of requests.
    scope: { id: mutationKey.join() },
    mutationFn: ({ key, to }: { key: string; from: number; to: number }) =>
      changeField(company, key, { position: to + 1 }),
    onMutate: async ({ from, to }) => {
      await queries.cancelQueries({ queryKey }); // their response has the previous order
      const others = all.filter((field) => !fields.includes(field));
      queries.setQueryData(queryKey, [...moveItem(fields, from, to), ...others]);
      return [...all];
    },
    onError: (_error, _move, before) => queries.setQueryData(queryKey, before),
    onSettled: () => {
      const isLast = queries.isMutating({ mutationKey }) === 1;
      return isLast ? queries.invalidateQueries({ queryKey: [company, 'custom-fields'] }) : undefined;
    },
  });
  return (
    <section aria-labelledby="active">
      <h2 id="active">{t`Active fields (${fields.length} of ${maxActive})`}</h2>
      {error && <Problem error={error} />}
      <SortableList
        labelledBy="active"
        items={fields}
        idOf={({ key }) => key}
        nameOf={({ label }) => labelOf(label)}
        onMove={(from, to) => mutate({ key: fields[from]!.key, from, to })}
      >
        {(field) => (
          <>
            <div className="row">
              <FieldLink company={company} field={field} />
              {(['required', 'unique', 'sensitive'] as const)
                .filter((name) => field[name])
                .map((name) => (
                  <Badge key={name} tone="quiet">
                    {settingNames()[name]}
                  </Badge>
                ))}
            </div>
            <p className="quiet">
              <code>{field.key}</code> · {typeNames()[field.type]} · {t`Seen by: ${minRoleNames()[field.read]}`} ·{' '}
              {t`Changed by: ${minRoleNames()[field.write]}`}
            </p>
          </>
        )}
      </SortableList>
    </section>
  );
}

function FieldLink({ company, field: { key, label } }: { company: string; field: CustomField }) {
  return (
    <Link to="/$company/fields/$field" params={{ company, field: key }} className="card-link">
      {labelOf(label)}
    </Link>
  );
}

/** Archived fields, and fields being deleted. */
function Others({ company, fields }: { company: string; fields: CustomField[] }) {
  const queries = useQueryClient();
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: ({ key }: CustomField) => changeField(company, key, { archived: false }),
    onSuccess: ({ field: { label } }) => {
      toast(t`${labelOf(label)} is active again`);
      return queries.invalidateQueries({ queryKey: [company] });
    },
  });
  if (fields.length === 0) return null;
  return (
    <section aria-labelledby="archived">
      <h2 id="archived">{t`Archived fields`}</h2>
      {error && <Problem error={error} />}
      <ul className="cards">
        {fields.map((field) => (
          <li key={field.key} className="card">
            {field.deletion ? (
              <>
                <strong>{labelOf(field.label)}</strong>
                <DeletionProgress deletion={field.deletion} />
              </>
            ) : (
              <div className="row spread">
                <FieldLink company={company} field={field} />
                <Button busy={isPending && variables === field} onClick={() => mutate(field)}>
                  <span>{t`Restore`}</span> <span className="unseen">{labelOf(field.label)}</span>
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
