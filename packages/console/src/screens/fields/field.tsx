/** One custom field: definition, archive state, and deletion. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { permissionsQuery } from '../../api/client/session.ts';
import { changeField, fieldQuery, type VersionedField } from '../../api/custom-fields.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { labelOf } from '../../parts/fields/custom-values.ts';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { Badge, Heading, Loading } from '../../parts/small.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { ChangeField } from './change-field.tsx';
import { DeleteField, DeletionProgress } from './deletion.tsx';
import { FieldsPath } from './fields-path.tsx';
import { settingNames, typeNames } from './names.ts';

export function FieldScreen() {
  useLanguage();
  const { company, field: key } = useParams({ from: '/$company/fields/$field' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const may = rights?.has('updateCustomField') ?? false;
  const { data, error, refetch } = useQuery({ ...fieldQuery(company, key), enabled: may });
  return (
    <>
      <FieldsPath company={company} />
      {!data && <Heading title={t`Fields`} />}
      {rights && !may && <Forbidden />}
      {error && <Problem error={error} retry={refetch} />}
      {may && !data && !error && <Loading />}
      {may && data && <FieldDetails company={company} known={data} />}
    </>
  );
}

function FieldDetails({ company, known }: { company: string; known: VersionedField }) {
  const { field } = known;
  return (
    <>
      <Heading
        title={labelOf(field.label)}
        aside={
          <>
            <Badge tone="quiet">{typeNames()[field.type]}</Badge>
            {field.sensitive && <Badge tone="quiet">{settingNames().sensitive}</Badge>}
            {field.archived && <Badge tone="waiting">{t`Archived`}</Badge>}
          </>
        }
      />
      <p className="lead">
        <code>{field.key}</code>
      </p>
      {field.deletion ? (
        <DeletionProgress deletion={field.deletion} />
      ) : (
        <>
          <ChangeField key={field.key} company={company} known={known} />
          <Archive company={company} known={known} />
          <DeleteField company={company} field={field} />
        </>
      )}
    </>
  );
}

function Archive({ company, known: { field } }: { company: string; known: VersionedField }) {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => changeField(company, field.key, { archived: !field.archived }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [company] }),
  });
  return (
    <section className="panel" aria-labelledby="archive">
      <h2 id="archive">{field.archived ? t`Restore` : t`Archive`}</h2>
      <p>
        {field.archived
          ? t`The field is hidden everywhere. Restoring it brings it back with its values.`
          : t`Hides the field everywhere and keeps its values. You can restore it later.`}
      </p>
      {error && <Problem error={error} />}
      <Button busy={isPending} onClick={() => mutate()}>
        {field.archived ? t`Restore the field` : t`Archive the field`}
      </Button>
    </section>
  );
}
