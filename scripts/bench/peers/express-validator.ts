// The usual other way: express, express-openapi-validator on our own contract, and kysely.
import { fileURLToPath } from 'node:url';
import express from 'express';
import OpenApiValidator from 'express-openapi-validator';
import { Kysely, PostgresDialect } from 'kysely';
import { pino } from 'pino';
import type { DB } from '../../../generated/db.ts';
import { add, announce, listPage, pool, shown, tokenCheck } from './work.ts';

const isGood = tokenCheck();
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
    validateSecurity: { handlers: { oauth2: (req) => isGood(req.headers.authorization) } },
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
  'salary',
  'manager_id',
  'work_schedule',
  'location',
  'emergency_contact',
  'created_at',
  'updated_at',
] as const;
app.get('/v1/collaborators', async (req, res) => {
  const { page = 1, per_page = 20 } = req.query as { page?: number; per_page?: number };
  res.json(await listPage(req.headers['x-company-id'], page, per_page));
});
app.get('/v1/collaborators/:id', async (req, res) => {
  const row = await db
    .selectFrom('collaborators')
    .select(columns)
    .where('company_id', '=', String(req.headers['x-company-id']))
    .where('id', '=', req.params.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  res.json(shown(row));
});
app.post('/v1/collaborators', async (req, res) => {
  res.status(201).json(await add(req.headers['x-company-id'], req.body));
});
const server = app.listen(0, '127.0.0.1', () => announce(server));
