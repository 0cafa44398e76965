// Common alternative: express, express-openapi-validator with our contract, and kysely.
import { fileURLToPath } from 'node:url';
import express from 'express';
import OpenApiValidator from 'express-openapi-validator';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { pino } from 'pino';
import type { DB } from '../../../generated/db.ts';
import { callers } from './caller.ts';
import type { Query } from './lists.ts';
import { add, announce, change, listPage, pool, reachesAll, toResponse } from './work.ts';

const callerOf = callers(pool);
const log = pino({ level: 'info' });
const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
const app = express();
app.use(express.json());
app.use((req, res, next) => {
  const started = performance.now();
  res.once('close', () =>
    log.info({ path: req.path, status: res.statusCode, ms: performance.now() - started }, 'request'),
  );
  next();
});
app.use(
  OpenApiValidator.middleware({
    apiSpec: fileURLToPath(new URL('../../../generated/openapi.json', import.meta.url)),
    validateApiSpec: false,
    validateSecurity: { handlers: { oauth2: async (req) => (await callerOf(req.headers)) !== undefined } },
  }),
);
const columns = [
  'id',
  'name',
  'email',
  'phone',
  'position',
  'department',
  'status',
  'role',
  'hire_date',
  'termination_date',
  'salary',
  'manager_id',
  'work_schedule',
  'location',
  'external_id',
  'employee_number',
  'custom_fields',
  'avatar_key',
  'emergency_contact',
  'managed_by',
  'managed_fields',
  'created_at',
  'updated_at',
] as const;
const standsAbove = (companyId: string, id: string, managerId: string) => sql<boolean>`exists (
  with recursive chain as (
    select manager_id from collaborators where company_id = ${companyId} and id = ${id}
    union
    select above.manager_id from collaborators above join chain on above.id = chain.manager_id
    where above.company_id = ${companyId}
  )
  select 1 from chain where manager_id = ${managerId})`;
const notFound = { error: 'not_found', message: 'There is no such collaborator.' };
app.get('/v1/collaborators', async (req, res) => {
  res.json(await listPage(req.headers['x-company-id'], (await callerOf(req.headers))!, req.query as Query));
});
app.get('/v1/collaborators/:id', async (req, res) => {
  const companyId = String(req.headers['x-company-id']);
  const caller = (await callerOf(req.headers))!;
  const { id } = req.params;
  const row = await db
    .selectFrom('collaborators')
    .select(columns)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(!reachesAll(caller, id), (query) => query.where(standsAbove(companyId, id, caller.id)))
    .executeTakeFirst();
  if (row) res.json(toResponse(row, caller));
  else res.status(404).json(notFound);
});
app.patch('/v1/collaborators/:id', async (req, res) => {
  const caller = (await callerOf(req.headers))!;
  const changed = await change(req.headers['x-company-id'], caller, req.params.id, req.body);
  res.status(changed ? 200 : 404).json(changed ?? notFound);
});
app.post('/v1/collaborators', async (req, res) => {
  res.status(201).json(await add(req.headers['x-company-id'], (await callerOf(req.headers))!, req.body));
});
const server = app.listen(0, '127.0.0.1', () => announce(server));
