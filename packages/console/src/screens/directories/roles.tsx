/** Maps groups to the manager and admin roles. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  changeDirectory,
  type Directory,
  type DirectoryGroup,
  type DirectoryRole,
  groupsQuery,
  readDirectory,
} from '../../api/directories.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { number } from '../../parts/format.ts';
import { roleNames } from '../../parts/names.ts';
import { Loading } from '../../parts/small.tsx';
import { named, t, tn } from '../../parts/translate.ts';

/** Keyed by group id; empty for no role. */
type RoleByGroup = Readonly<Record<string, DirectoryRole | ''>>;

const rolesIn = (directory: Directory): RoleByGroup =>
  Object.fromEntries(directory.role_mapping.map(({ group_id: id, role }) => [id, role]));

export function Roles({ company, directory, may }: { company: string; directory: Directory; may: boolean }) {
  const { data, error, refetch } = useQuery(groupsQuery(company, directory.id));
  return (
    <section className="panel" aria-labelledby="roles">
      <h2 id="roles">{t`Roles by group`}</h2>
      <p>{t`Members of a group get the role you choose here, as long as they're in it. The managers of the group in your provider then decide who has the role. All admins get an email when you change this.`}</p>
      {error && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data &&
        (data.data.length === 0 ? (
          <p className="quiet">{t`The provider hasn't sent any groups yet.`}</p>
        ) : (
          <Choices company={company} directory={directory} groups={data.data} may={may} />
        ))}
    </section>
  );
}

interface ChoicesProps {
  company: string;
  directory: Directory;
  groups: DirectoryGroup[];
  may: boolean;
}

function Choices({ company, directory, groups, may }: ChoicesProps) {
  const queries = useQueryClient();
  const known = rolesIn(directory);
  const [chosen, setChosen] = useState<RoleByGroup>({});
  const [isConfirming, setConfirming] = useState(false);
  const { mutate, isPending, error } = useMutation({
    // Another admin may have changed other groups: choices are added to the newest roles.
    mutationFn: async () => {
      const { directory: newest, etag } = await readDirectory(company, directory.id);
      const roles = Object.entries({ ...rolesIn(newest), ...chosen });
      const mapping = roles.flatMap(([id, role]) => (role ? [{ group_id: id, role }] : []));
      return changeDirectory(company, directory.id, { role_mapping: mapping }, etag);
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [company] });
      setChosen({});
      setConfirming(false);
    },
  });
  const roleOf = (id: string) => chosen[id] ?? known[id] ?? '';
  const isChanged = groups.some(({ id }) => roleOf(id) !== (known[id] ?? ''));
  return (
    <>
      <ul className="cards">
        {groups.map(({ id, name, member_count: count }) => (
          <li key={id} className="card">
            <label className="row spread">
              <span>
                {name}{' '}
                <span className="quiet">{tn(count, t`${number(count)} member`, t`${number(count)} members`)}</span>
              </span>
              <select
                value={roleOf(id)}
                disabled={!may}
                onChange={({ target }) => setChosen({ ...chosen, [id]: target.value as DirectoryRole | '' })}
              >
                <option value="">{t`No role`}</option>
                <option value="manager">{named(roleNames, 'manager')}</option>
                <option value="admin">{named(roleNames, 'admin')}</option>
              </select>
            </label>
          </li>
        ))}
      </ul>
      {may && (
        <Button kind="primary" disabled={!isChanged} onClick={() => setConfirming(true)}>
          {t`Save the roles`}
        </Button>
      )}
      <Confirm
        open={isConfirming}
        title={t`Save the roles`}
        about={t`The members of these groups get their roles now, and all admins get an email.`}
        actionLabel={t`Save`}
        busy={isPending}
        error={error}
        onClose={() => setConfirming(false)}
        onConfirm={() => mutate()}
      />
    </>
  );
}
