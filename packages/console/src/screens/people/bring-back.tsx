/** Somebody who was deleted is brought back. Whether there is anybody to bring back only the service can tell. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { restorePerson } from '../../api/people.ts';
import { rightsQuery } from '../../api/who.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { t } from '../../parts/words.ts';

export function BringBack({ company, id }: { company: string; id: string }) {
  const queries = useQueryClient();
  const { data: rights } = useQuery(rightsQuery(company));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => restorePerson(company, id),
    onSuccess: () => queries.invalidateQueries({ queryKey: [company, 'people'] }),
  });
  if (!rights?.has('restoreCollaborator')) return null;
  return (
    <section className="panel" aria-labelledby="restore">
      <h2 id="restore">{t('person.restore.asked')}</h2>
      <p>{t('person.restore.about')}</p>
      <Button kind="primary" busy={isPending} onClick={() => mutate()}>
        {t('person.restore')}
      </Button>
      {error && <Problem error={error} />}
    </section>
  );
}
