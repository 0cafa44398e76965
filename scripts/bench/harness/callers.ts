// Callers of the benchmarks: the admin, and managers of teams of different sizes, who send half of all requests.
import pg from 'pg';
import { openDatabase } from '../../../src/platform/db/client.ts';
import { createPerson } from '../../../src/product/companies/companies.ts';
import { signIn } from '../../run/sign-in.ts';
import { type BenchData, personId } from './fill.ts';

export interface ListedPerson {
  id: string;
  name: string;
  email: string;
}

/** A caller, and the people they can read and change (for a manager the team), in an order unrelated to that of lists. */
interface Member {
  email: string;
  role: 'admin' | 'manager';
  people: ListedPerson[];
}

export interface Caller extends Member {
  headers: Record<string, string>;
}

/** Roots of the managers' teams: a ninth of the company, three of a tenth of that, eight of a hundredth. See fill.ts. */
const heads = [1, 20, 30, 40, 500, 510, 520, 530, 540, 550, 560, 570];

/** Adds the managers, and reads which people each caller can access. */
export async function addManagers(
  url: string,
  { company_id: companyId, email, password }: BenchData,
): Promise<Member[]> {
  const db = openDatabase({ url, poolSize: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 60_000 });
  const direct = new pg.Client(url);
  await direct.connect();
  try {
    const members: Member[] = [{ email, role: 'admin', people: await everyone(direct, companyId) }];
    for (const [n, head] of heads.entries()) {
      const manager = { name: `Manager ${n}`, email: `manager${n}@example.com`, position: 'Head', department: 'Board' };
      const { collaborator_id: collaboratorId } = await createPerson(db, companyId, {
        ...manager,
        password,
        role: 'manager',
      });
      const change = `update collaborators set manager_id = $2 where company_id = $1 and id = ${personId('$1::text', '$3')}`;
      await direct.query(change, [companyId, collaboratorId, head]);
      members.push({
        email: manager.email,
        role: 'manager',
        people: await teamOf(direct, companyId, collaboratorId),
      });
    }
    return members;
  } finally {
    await db.close();
    await direct.end();
  }
}

async function everyone(client: pg.Client, companyId: string): Promise<ListedPerson[]> {
  const text = 'select id, name, email from collaborators where company_id = $1 order by hashtext(id::text)';
  return (await client.query<ListedPerson>(text, [companyId])).rows;
}

async function teamOf(client: pg.Client, companyId: string, managerId: string): Promise<ListedPerson[]> {
  const text = `with recursive team as (
      select id, name, email from collaborators where company_id = $1 and id = $2
      union all
      select below.id, below.name, below.email from collaborators below join team on below.manager_id = team.id
      where below.company_id = $1
    )
    select * from team where id <> $2 order by hashtext(id::text)`;
  return (await client.query<ListedPerson>(text, [companyId, managerId])).rows;
}

/** @param baseUrl of the service; its peers accept the same tokens */
export async function signInAll(baseUrl: string, members: readonly Member[], data: BenchData): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (const member of members) {
    const { access_token: accessToken } = await signIn({ base_url: baseUrl, ...data, email: member.email });
    const headers = { authorization: `Bearer ${accessToken}`, 'x-company-id': data.company_id };
    callers.push({ ...member, headers: { ...headers, 'content-type': 'application/json' } });
  }
  return callers;
}
