/** Users: the people who can sign in, across companies, as the operator sees them. */
import type { QueryCreator } from 'kysely';
import { validate } from 'uuid';
import { emailForm } from '../../contract/texts/email.ts';
import type { Database } from '../../platform/db/client.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import type { Role } from '../members/member.ts';

interface ListedUser {
  id: string;
  email: string;
  name: string;
  created_at: string;
  companies: Membership[];
}

/** A user's membership in one company. */
interface Membership {
  id: string;
  name: string;
  collaborator_id: string;
  role: Role;
  status: 'active' | 'inactive' | 'pending';
}

/** @param email in any case */
export async function findUser(db: QueryCreator<GlobalTables>, email: string) {
  return accounts(db, emailForm(email)).select(['id', 'email', 'name']).executeTakeFirst();
}

/** @param emailOrId finds users of an identity provider by id only, because several can have the same address */
export async function findUserOrProviderUser(db: QueryCreator<GlobalTables>, emailOrId: string) {
  if (!validate(emailOrId)) return findUser(db, emailOrId);
  return db.selectFrom('users').select(['id', 'email', 'name']).where('id', '=', emailOrId).executeTakeFirst();
}

/** The account that signs in with this address, in its stored form. Excludes accounts that a provider signs in. */
export async function findAccount(db: QueryCreator<GlobalTables>, email: string) {
  return accounts(db, email).select(['id', 'email', 'name', 'password_hash']).executeTakeFirst();
}

function accounts(db: QueryCreator<GlobalTables>, email: string) {
  return db
    .selectFrom('users')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', eb.fn('lower', [eb.val(email)])))
    .where('only_company_id', 'is', null);
}

/** All accounts, oldest first, with their companies. @param companyId lists only this company and its users */
export async function listUsers(db: Database, companyId?: string): Promise<ListedUser[]> {
  const memberships = await membershipsByUser(db, companyId);
  const users = await db.global
    .selectFrom('users')
    .select(['id', 'email', 'name', 'created_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const listed = users.map((user) => ({ ...user, companies: memberships.get(user.id) ?? [] }));
  return companyId === undefined ? listed : listed.filter(({ companies }) => companies.length > 0);
}

async function membershipsByUser(db: Database, companyId: string | undefined): Promise<Map<string, Membership[]>> {
  const query = db.global.selectFrom('companies').select(['id', 'name']).orderBy('created_at').orderBy('id');
  const companies = await (companyId === undefined ? query : query.where('id', '=', companyId)).execute();
  const memberships = new Map<string, Membership[]>();
  for (const { id, name } of companies) {
    const members = await db
      .tenant(id)
      .selectFrom('collaborators')
      .select(['id', 'user_id', 'role', 'status'])
      .where('user_id', 'is not', null)
      .where('deleted_at', 'is', null)
      .execute();
    for (const { id: collaboratorId, user_id: userId, role, status } of members) {
      const membership = { id, name, collaborator_id: collaboratorId, role, status } as Membership;
      memberships.set(userId!, [...(memberships.get(userId!) ?? []), membership]);
    }
  }
  return memberships;
}
