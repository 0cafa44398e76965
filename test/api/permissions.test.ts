/** The permissions of each operation by kind of caller, written by hand as a second source beside the contract. */

import type supertest from 'supertest';
import type { OperationId } from '../../src/api/handler.ts';
import { type Access, contractOperations } from '../../src/contract/contract.ts';
import { type TestApp, type TestClient, testApp } from '../helpers/app.ts';
import { addConnection } from '../helpers/database/connections.ts';
import { addApp } from '../helpers/resources/apps.ts';
import { addDirectory } from '../helpers/resources/directories.ts';
import { addDocument, picture, withForm } from '../helpers/resources/documents.ts';
import { people, startImport, withImport } from '../helpers/resources/imports.ts';
import { addSignInConnection } from '../helpers/resources/sign-in-connections.ts';
import { addDelivery, addWebhook } from '../helpers/resources/webhooks.ts';

/**
 * The response to each caller; `ok` is any success. If an operation isn't about a collaborator, reach doesn't matter.
 * The outsider asks for the record in their own company; if an operation isn't about a record, they ask in this company.
 * In the last column, an admin's token lacks the operation's scope.
 */
type Row = [
  anon: 401,
  admin: A,
  managerTeam: A,
  managerOther: A,
  employeeSelf: A,
  employeeOther: A,
  outsider: A,
  noScope: 403,
];
type A = 'ok' | 403 | 404;

const table: Record<OperationId, Row> = {
  // anon, admin, manager of the team, other manager, the employee, another employee, outsider, no scope
  getAuthUser: [401, 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 403],
  listPermissions: [401, 'ok', 'ok', 'ok', 'ok', 'ok', 403, 403],
  listCollaborators: [401, 'ok', 'ok', 'ok', 'ok', 'ok', 403, 403],
  listFieldValues: [401, 'ok', 'ok', 'ok', 'ok', 'ok', 403, 403],
  listDeletedCollaborators: [401, 'ok', 403, 403, 403, 403, 403, 403],
  listColleagues: [401, 'ok', 'ok', 'ok', 'ok', 'ok', 403, 403],
  listSnoozes: [401, 'ok', 403, 403, 403, 403, 403, 403],
  setSnooze: [401, 'ok', 403, 403, 403, 403, 403, 403],
  listSavedViews: [401, 'ok', 'ok', 'ok', 'ok', 'ok', 403, 403],
  createSavedView: [401, 'ok', 'ok', 'ok', 'ok', 'ok', 403, 403],
  getSavedView: [401, 'ok', 404, 404, 404, 404, 404, 403],
  updateSavedView: [401, 'ok', 404, 404, 404, 404, 404, 403],
  deleteSavedView: [401, 'ok', 404, 404, 404, 404, 404, 403],
  getHeadcount: [401, 'ok', 'ok', 'ok', 'ok', 'ok', 403, 403],
  listOrgChart: [401, 'ok', 'ok', 'ok', 'ok', 'ok', 403, 403],
  createCollaborator: [401, 'ok', 403, 403, 403, 403, 403, 403],
  getCollaborator: [401, 'ok', 'ok', 404, 'ok', 404, 404, 403],
  updateCollaborator: [401, 'ok', 'ok', 404, 'ok', 404, 404, 403],
  patchCollaborator: [401, 'ok', 'ok', 404, 'ok', 404, 404, 403],
  deleteCollaborator: [401, 'ok', 403, 404, 403, 404, 404, 403],
  restoreCollaborator: [401, 'ok', 403, 404, 403, 404, 404, 403],
  getNotifications: [401, 'ok', 404, 404, 'ok', 404, 404, 403],
  setNotifications: [401, 'ok', 404, 404, 'ok', 404, 404, 403],
  listCustomFields: [401, 'ok', 'ok', 'ok', 'ok', 'ok', 403, 403],
  createCustomField: [401, 'ok', 403, 403, 403, 403, 403, 403],
  getCustomField: [401, 'ok', 'ok', 'ok', 'ok', 'ok', 404, 403],
  updateCustomField: [401, 'ok', 403, 403, 403, 403, 404, 403],
  deleteCustomField: [401, 'ok', 403, 403, 403, 403, 404, 403],
  listHistory: [401, 'ok', 'ok', 404, 'ok', 404, 404, 403],
  getStatus: [401, 'ok', 'ok', 404, 'ok', 404, 404, 403],
  assignRole: [401, 'ok', 403, 404, 403, 404, 404, 403],
  activateCollaborator: [401, 'ok', 403, 404, 403, 404, 404, 403],
  deactivateCollaborator: [401, 'ok', 403, 404, 403, 404, 404, 403],
  sendInvitation: [401, 'ok', 'ok', 404, 403, 404, 404, 403],
  resendInvitation: [401, 'ok', 'ok', 404, 403, 404, 404, 403],
  setPhoto: [401, 'ok', 'ok', 404, 'ok', 404, 404, 403],
  deletePhoto: [401, 'ok', 'ok', 404, 'ok', 404, 404, 403],
  listDocuments: [401, 'ok', 'ok', 404, 'ok', 404, 404, 403],
  uploadDocument: [401, 'ok', 'ok', 404, 'ok', 404, 404, 403],
  getDocument: [401, 'ok', 'ok', 404, 'ok', 404, 404, 403],
  deleteDocument: [401, 'ok', 'ok', 404, 'ok', 404, 404, 403],
  bulkCollaborators: [401, 'ok', 403, 403, 403, 403, 403, 403],
  getImportTemplate: [401, 'ok', 403, 403, 403, 403, 403, 403],
  importCollaborators: [401, 'ok', 403, 403, 403, 403, 403, 403],
  listInvitations: [401, 'ok', 'ok', 'ok', 403, 403, 403, 403],
  listImports: [401, 'ok', 403, 403, 403, 403, 403, 403],
  getImport: [401, 'ok', 403, 403, 403, 403, 404, 403],
  listImportErrors: [401, 'ok', 403, 403, 403, 403, 404, 403],
  answerImport: [401, 'ok', 403, 403, 403, 403, 404, 403],
  commitImport: [401, 'ok', 403, 403, 403, 403, 404, 403],
  cancelImport: [401, 'ok', 403, 403, 403, 403, 404, 403],
  getImportUndo: [401, 'ok', 403, 403, 403, 403, 404, 403],
  undoImport: [401, 'ok', 403, 403, 403, 403, 404, 403],
  exportIndividual: [401, 'ok', 'ok', 404, 'ok', 404, 404, 403],
  exportList: [401, 'ok', 'ok', 'ok', 403, 403, 403, 403],
  exportGroup: [401, 'ok', 'ok', 'ok', 403, 403, 403, 403],
  exportPersonalData: [401, 'ok', 403, 404, 403, 404, 404, 403],
  exportGroupAlias: [401, 'ok', 'ok', 'ok', 403, 403, 403, 403],
  listExports: [401, 'ok', 'ok', 'ok', 'ok', 'ok', 403, 403],
  getExport: [401, 'ok', 404, 404, 404, 404, 404, 403],
  deleteExport: [401, 'ok', 404, 404, 404, 404, 404, 403],
  getCompany: [401, 'ok', 'ok', 'ok', 'ok', 'ok', 403, 403],
  getSignInSummary: [401, 'ok', 403, 403, 403, 403, 403, 403],
  updateCompany: [401, 'ok', 403, 403, 403, 403, 403, 403],
  listAudit: [401, 'ok', 403, 403, 403, 403, 403, 403],
  listApps: [401, 'ok', 403, 403, 403, 403, 403, 403],
  createApp: [401, 'ok', 403, 403, 403, 403, 403, 403],
  getApp: [401, 'ok', 403, 403, 403, 403, 404, 403],
  updateApp: [401, 'ok', 403, 403, 403, 403, 404, 403],
  deleteApp: [401, 'ok', 403, 403, 403, 403, 404, 403],
  rotateAppSecret: [401, 'ok', 403, 403, 403, 403, 404, 403],
  listDirectories: [401, 'ok', 403, 403, 403, 403, 403, 403],
  createDirectory: [401, 'ok', 403, 403, 403, 403, 403, 403],
  getDirectory: [401, 'ok', 403, 403, 403, 403, 404, 403],
  updateDirectory: [401, 'ok', 403, 403, 403, 403, 404, 403],
  deleteDirectory: [401, 'ok', 403, 403, 403, 403, 404, 403],
  rotateDirectoryToken: [401, 'ok', 403, 403, 403, 403, 404, 403],
  listDirectoryGroups: [401, 'ok', 403, 403, 403, 403, 404, 403],
  listDirectoryErrors: [401, 'ok', 403, 403, 403, 403, 404, 403],
  listDirectorySyncs: [401, 'ok', 403, 403, 403, 403, 404, 403],
  listSignInConnections: [401, 'ok', 403, 403, 403, 403, 403, 403],
  createSignInConnection: [401, 'ok', 403, 403, 403, 403, 403, 403],
  getSignInConnection: [401, 'ok', 403, 403, 403, 403, 404, 403],
  updateSignInConnection: [401, 'ok', 403, 403, 403, 403, 404, 403],
  deleteSignInConnection: [401, 'ok', 403, 403, 403, 403, 404, 403],
  verifySignInDomains: [401, 'ok', 403, 403, 403, 403, 404, 403],
  rotateSignInKey: [401, 'ok', 403, 403, 403, 403, 404, 403],
  testSignInConnection: [401, 'ok', 403, 403, 403, 403, 404, 403],
  listConnections: [401, 'ok', 'ok', 'ok', 'ok', 'ok', 403, 403],
  getConnection: [401, 'ok', 404, 404, 404, 404, 404, 403],
  confirmConnection: [401, 'ok', 404, 404, 404, 404, 404, 403],
  endConnection: [401, 'ok', 404, 404, 404, 404, 404, 403],
  listWebhooks: [401, 'ok', 403, 403, 403, 403, 403, 403],
  createWebhook: [401, 'ok', 403, 403, 403, 403, 403, 403],
  getWebhook: [401, 'ok', 403, 403, 403, 403, 404, 403],
  getWebhookFigures: [401, 'ok', 403, 403, 403, 403, 404, 403],
  updateWebhook: [401, 'ok', 403, 403, 403, 403, 404, 403],
  deleteWebhook: [401, 'ok', 403, 403, 403, 403, 404, 403],
  rotateWebhookSecret: [401, 'ok', 403, 403, 403, 403, 404, 403],
  testWebhook: [401, 'ok', 403, 403, 403, 403, 404, 403],
  activateWebhook: [401, 'ok', 403, 403, 403, 403, 404, 403],
  getDeliveryCounts: [401, 'ok', 403, 403, 403, 403, 403, 403],
  listDeliveries: [401, 'ok', 403, 403, 403, 403, 404, 403],
  getDelivery: [401, 'ok', 403, 403, 403, 403, 404, 403],
  redeliver: [401, 'ok', 403, 403, 403, 403, 404, 403],
  redeliverRange: [401, 'ok', 403, 403, 403, 403, 404, 403],
  listEvents: [401, 'ok', 403, 403, 403, 403, 403, 403],
  listEventTypes: [401, 'ok', 403, 403, 403, 403, 403, 403],
  performList: [401, 'ok', 403, 403, 403, 403, 403, 403],
  performSubscribe: [401, 'ok', 403, 403, 403, 403, 403, 403],
  performUnsubscribe: [401, 'ok', 403, 403, 403, 403, 403, 403],
};

/** Forms for operations that take one. */
const forms: Partial<Record<OperationId, (request: supertest.Test) => supertest.Test>> = {
  uploadDocument: (request) => withForm(request, { type: 'policy' }),
  importCollaborators: (request) => withImport(request),
};

let photo: string;
let exportId: string;

/** Bodies for operations that need one; `serial` makes values unique. */
const bodies: Partial<Record<OperationId, (serial: number) => object>> = {
  answerImport: () => ({ answers: { decimal: 'comma' } }),
  createCollaborator: (serial) => ({
    name: 'Made Here',
    email: `made${serial}@example.com`,
    position: 'x',
    department: 'y',
  }),
  assignRole: () => ({ role: 'manager' }),
  bulkCollaborators: () => ({ mode: 'update', items: [{ id: app.report.collaborator_id, phone: '+1 23' }] }),
  updateCollaborator: (serial) => ({ phone: `+1 ${serial}` }),
  patchCollaborator: (serial) => ({ phone: `+1 ${serial}` }),
  updateCompany: (serial) => ({ name: `Verde ${serial}` }),
  setNotifications: () => ({ channels: { sms: true } }),
  setPhoto: () => ({ content_base64: photo }),
  setSnooze: (serial) => ({ kind: 'import_failed', item_id: `import-${serial}`, days: 1 }),
  createSavedView: (serial) => ({ name: `View ${serial}`, filters: {} }),
  updateSavedView: (serial) => ({ name: `View ${serial}` }),
  createCustomField: (serial) => ({ key: `made_${serial}`, label: { default: 'Shirt size' }, type: 'text' }),
  updateCustomField: (serial) => ({ description: `Number ${serial}` }),
  createApp: () => ({ name: 'Planner', kind: 'public', redirect_uris: ['https://planner.example/'] }),
  createDirectory: () => ({ name: 'Okta' }),
  updateSignInConnection: () => ({ name: 'Okta' }),
  createSignInConnection: () => ({ name: 'Okta', issuer: 'https://a.example', client_id: 'a', client_secret: 'b' }),
  updateDirectory: (serial) => ({ name: `Number ${serial}` }),
  updateApp: (serial) => ({ description: `Number ${serial}` }),
  createWebhook: () => ({ url: 'http://127.0.0.1:9009/', events: ['*'] }),
  updateWebhook: (serial) => ({ description: `Number ${serial}` }),
  redeliverRange: () => ({ from: '2026-01-01T00:00:00Z' }),
  performSubscribe: () => ({ target_url: 'http://127.0.0.1:9009/', event: '*' }),
  performUnsubscribe: () => ({ target_url: 'http://127.0.0.1:9009/none' }),
};

let app: TestApp;
let serial = 0;
beforeAll(async () => {
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  await app.admin.put('/v1/company', { policy: { directory_visibility: 'basic' } }).expect(200);
  photo = (await picture(8, 8)).toString('base64');
  exportId = await addExport();
});
afterAll(() => app.close());

/** The admin's saved view. */
async function addView(): Promise<string> {
  const view = { name: 'Active people', filters: { status: 'active' } };
  return (await app.admin.post('/v1/saved-views', view).expect(201)).body.id;
}

/** A pending collaborator that no other case touches. */
async function subject(managerId: string | null): Promise<string> {
  serial += 1;
  const person = {
    name: 'Some Body',
    email: `subject${serial}@example.com`,
    position: 'x',
    department: 'y',
    manager_id: managerId,
  };
  return (await app.admin.post('/v1/collaborators', person).expect(201)).body.id;
}

/** A field readable by everyone. Removes earlier ones to stay within the limit. */
async function addField(): Promise<string> {
  await app.database.query('delete from custom_field_sets');
  serial += 1;
  const key = `field_${serial}`;
  const field = { key, label: { default: 'Shirt size' }, type: 'text', read: 'employee' };
  await app.admin.post('/v1/custom-fields', field).expect(201);
  return key;
}

async function addExport(): Promise<string> {
  return (await app.admin.get('/v1/collaborators/export/list').expect(200)).body.id;
}

/** A finished dry run, or one with questions, without a worker. Completes earlier imports to stay within the limit. */
async function addImport(operationId: OperationId): Promise<string> {
  await app.database.query("update imports set status = 'completed', due_at = null where due_at is not null");
  const id = await startImport(app.admin, { file: people([1]), dry_run: true });
  const choices = [{ answer: 'comma', said: { key: 'Comma' }, example: null }];
  const questions = [{ id: 'decimal', kind: 'decimal', column: null, said: { key: 'Which?' }, choices }];
  await app.database.query('update imports set status = $2, due_at = null, questions = $3 where id = $1', [
    id,
    operationId === 'answerImport' ? 'needs_answers' : 'completed',
    JSON.stringify(questions),
  ]);
  if (operationId === 'undoImport') {
    const added = 'dry_run = false, created_count = 1, completed_at = now()';
    await app.database.query(`update imports set ${added} where id = $1`, [id]);
  }
  return id;
}

describe.each(contractOperations.map((each) => [each.operation.operationId as OperationId, each] as const))(
  '%s',
  (operationId, { path, method, operation }) => {
    const row = table[operationId];
    const onRecord = path.includes('/collaborators/{id}') || operationId === 'exportIndividual';
    const onApp = path.includes('/apps/{id}');
    const onDirectory = path.includes('/directories/{id}');
    const onSignIn = path.includes('/sign-in-connections/{id}');
    const onConnection = path.includes('/v1/connections/{id}');
    const onWebhook = path.includes('/webhooks/{id}');
    const onExport = path.includes('/exports/{id}');
    const onImport = path.includes('/imports/{id}');
    const onView = path.includes('/saved-views/{id}');

    test('has a row that agrees with the contract', () => {
      expect(row).toBeDefined();
      // Exports, saved views, and connections belong to their creator, regardless of roles.
      if (operation['x-access'] && !onExport && !onConnection && !onView)
        expect(row.slice(1, 6)).toEqual(fromContract(operation['x-access'], onRecord));
    });

    /** The path with ids of existing records. */
    const concrete = async (collaboratorId: string) => {
      if (path.includes('{document_id}')) {
        const documentId = await addDocument(app, collaboratorId, { type: 'policy' });
        return path.replace('{id}', collaboratorId).replace('{document_id}', documentId);
      }
      if (operationId === 'exportIndividual') return `${path}?collaborator_id=${collaboratorId}`;
      if (operationId === 'listFieldValues') return path.replace('{field_name}', 'department');
      if (path.includes('{key}')) {
        const key = await addField();
        return `${path.replace('{key}', key)}${method === 'delete' ? `?confirm=${key}` : ''}`;
      }
      if (operationId === 'deleteExport') return path.replace('{id}', await addExport());
      if (onExport) return path.replace('{id}', exportId);
      if (onImport) return path.replace('{id}', await addImport(operationId));
      if (onView) return path.replace('{id}', await addView());
      if (onSignIn) return path.replace('{id}', await addSignInConnection(app));
      if (onConnection) return path.replace('{id}', await addConnection(app));
      if (onDirectory) return path.replace('{id}', (await addDirectory(app)).id);
      if (onApp) return path.replace('{id}', await addApp(app));
      if (!onWebhook) return path.replace('{id}', collaboratorId);
      const webhookId = await addWebhook(app);
      return path.replace('{id}', webhookId).replace('{delivery_id}', await addDelivery(app, webhookId));
    };

    const respond = async (client: TestClient, id: string) => {
      // Stay within the limit of three per company.
      if (operationId === 'createSignInConnection') await app.database.query('delete from sign_in_connections');
      if (operationId === 'createDirectory') await app.database.query('delete from directories');
      serial += 1;
      const body = bodies[operationId]?.(serial);
      const request = client[method](await concrete(id), body);
      const response = await (forms[operationId]?.(request) ?? request);
      if (method !== 'get') await expectAudited(response, client);
      return response;
    };

    const send = async (client: TestClient, id: string) => {
      const { status, body } = await respond(client, id);
      if (status < 300) return 'ok';
      expect([status, body.error]).toEqual(status === 403 ? [403, 'forbidden'] : [404, 'not_found']);
      return status;
    };

    /** Expects an audit log entry for each change that was carried out, and only for those. */
    const expectAudited = async ({ status, headers }: supertest.Response, client: TestClient) => {
      const entries = await app.database.query(
        'select company_id, action, actor_id from audit_log where request_id = $1 and outcome = $2 and action = $3',
        [headers['x-request-id'], 'succeeded', operationId],
      );
      const { company_id: companyId, user_id: actorId } = client;
      expect(entries).toEqual(status < 300 ? [{ company_id: companyId, action: operationId, actor_id: actorId }] : []);
    };

    test('anonymous', async () => {
      const response = await app.anon[method](await concrete(app.report.collaborator_id));
      expect(response.status).toBe(row[0]);
    });

    test('admin', async () => {
      expect(await send(app.admin, await subject(null))).toBe(row[1]);
    });

    test('manager, within the team and outside', async () => {
      expect(await send(app.manager, await subject(app.report.collaborator_id))).toBe(row[2]);
      expect(await send(app.manager, await subject(null))).toBe(row[3]);
    });

    test('employee, for themselves and another', async () => {
      expect(await send(app.employee, app.employee.collaborator_id)).toBe(row[4]);
      expect(await send(app.employee, await subject(app.manager.collaborator_id))).toBe(row[5]);
    });

    test('outsider, whose own company doesn’t have the record, and who can’t access this one', async () => {
      const id = await subject(null);
      const isAboutRecord = onRecord || /\{(id|key)\}/.test(path);
      const isOfCompany = path.startsWith('/v1/');
      if (isAboutRecord || !isOfCompany) expect(await send(app.outsider, id)).toBe(row[6]);
      if (!isOfCompany) return;
      const response = await app.anon[method](await concrete(id))
        .set('Authorization', `Bearer ${app.outsider.token}`)
        .set('X-Company-Id', app.company_id);
      const expected = isAboutRecord ? 403 : row[6];
      expect([response.status, response.body.error]).toEqual([expected, 'company_access_denied']);
    });

    test('token without the scope', async () => {
      const others = ['offline_access'];
      const { status, body } = await respond(await app.as('admin', { scopes: others }), await subject(null));
      expect([status, body.error]).toEqual([row[7], 'insufficient_scope']);
    });
  },
);

/** The five role columns that `x-access` implies: 403 for what a role can see but not use, 404 for the rest. */
function fromContract(access: Access, onRecord: boolean): A[] {
  const visibility: Access = { admin: 'all', manager: 'team', employee: 'self' };
  const expectedStatus = (role: keyof Access, inReach: (reach: string) => boolean): A => {
    if (onRecord && !inReach(access[role] === 'none' ? visibility[role] : access[role])) return 404;
    return access[role] === 'none' ? 403 : 'ok';
  };
  const all = (reach: string) => reach === 'all';
  const team = (reach: string) => reach === 'all' || reach === 'team';
  return [
    expectedStatus('admin', all),
    expectedStatus('manager', team),
    expectedStatus('manager', all),
    expectedStatus('employee', () => true),
    expectedStatus('employee', all),
  ];
}
