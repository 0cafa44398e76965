/** Restores a deleted person. Only the service knows whether they still exist. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { permissionsQuery } from '../../../api/client/session.ts';
import { restorePerson } from '../../../api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { t } from '../../../parts/translate.ts';

export function RestorePerson({ company, id }: { company: string; id: string }) {
  const queries = useQueryClient();
  const { data: rights } = useQuery(permissionsQuery(company));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => restorePerson(company, id),
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'people'] }),
  });
  if (!rights?.has('restoreCollaborator')) return null;
  return (
    <section className="panel" aria-labelledby="restore">
      <h2 id="restore">{t`Was this person deleted?`}</h2>
      <p>{t`For 30 days, admins can restore a deleted person with their role, history and documents.`}</p>
      <Button kind="primary" busy={isPending} onClick={() => mutate()}>
        {t`Restore`}
      </Button>
      {error && <Problem error={error} />}
    </section>
  );
}
