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
 * test/contract/contract.test.ts checks callers without a token, without the scope, and of another company.
 */
type Row = [admin: A, managerTeam: A, managerOther: A, employeeSelf: A, employeeOther: A];
type A = 'ok' | 403 | 404;

const table: Record<OperationId, Row> = {
  // admin, manager of the team, other manager, the employee, another employee
  getAuthUser: ['ok', 'ok', 'ok', 'ok', 'ok'],
  listPermissions: ['ok', 'ok', 'ok', 'ok', 'ok'],
  listCollaborators: ['ok', 'ok', 'ok', 'ok', 'ok'],
  listFieldValues: ['ok', 'ok', 'ok', 'ok', 'ok'],
  listDeletedCollaborators: ['ok', 403, 403, 403, 403],
  listColleagues: ['ok', 'ok', 'ok', 'ok', 'ok'],
  listSnoozes: ['ok', 403, 403, 403, 403],
  setSnooze: ['ok', 403, 403, 403, 403],
  listSavedViews: ['ok', 'ok', 'ok', 'ok', 'ok'],
  createSavedView: ['ok', 'ok', 'ok', 'ok', 'ok'],
  getSavedView: ['ok', 404, 404, 404, 404],
  updateSavedView: ['ok', 404, 404, 404, 404],
  deleteSavedView: ['ok', 404, 404, 404, 404],
  getHeadcount: ['ok', 'ok', 'ok', 'ok', 'ok'],
  listOrgChart: ['ok', 'ok', 'ok', 'ok', 'ok'],
  createCollaborator: ['ok', 403, 403, 403, 403],
  getCollaborator: ['ok', 'ok', 404, 'ok', 404],
  updateCollaborator: ['ok', 'ok', 404, 'ok', 404],
  patchCollaborator: ['ok', 'ok', 404, 'ok', 404],
  deleteCollaborator: ['ok', 403, 404, 403, 404],
  restoreCollaborator: ['ok', 403, 404, 403, 404],
  getNotifications: ['ok', 404, 404, 'ok', 404],
  setNotifications: ['ok', 404, 404, 'ok', 404],
  listCustomFields: ['ok', 'ok', 'ok', 'ok', 'ok'],
  createCustomField: ['ok', 403, 403, 403, 403],
  getCustomField: ['ok', 'ok', 'ok', 'ok', 'ok'],
  updateCustomField: ['ok', 403, 403, 403, 403],
  deleteCustomField: ['ok', 403, 403, 403, 403],
  listHistory: ['ok', 'ok', 404, 'ok', 404],
  getStatus: ['ok', 'ok', 404, 'ok', 404],
  assignRole: ['ok', 403, 404, 403, 404],
  activateCollaborator: ['ok', 403, 404, 403, 404],
  deactivateCollaborator: ['ok', 403, 404, 403, 404],
  sendInvitation: ['ok', 'ok', 404, 403, 404],
  resendInvitation: ['ok', 'ok', 404, 403, 404],
  setPhoto: ['ok', 'ok', 404, 'ok', 404],
  deletePhoto: ['ok', 'ok', 404, 'ok', 404],
  listDocuments: ['ok', 'ok', 404, 'ok', 404],
  uploadDocument: ['ok', 'ok', 404, 'ok', 404],
  getDocument: ['ok', 'ok', 404, 'ok', 404],
  deleteDocument: ['ok', 'ok', 404, 'ok', 404],
  bulkCollaborators: ['ok', 403, 403, 403, 403],
  getImportTemplate: ['ok', 403, 403, 403, 403],
  importCollaborators: ['ok', 403, 403, 403, 403],
  listInvitations: ['ok', 'ok', 'ok', 403, 403],
  listImports: ['ok', 403, 403, 403, 403],
  getImport: ['ok', 403, 403, 403, 403],
  listImportErrors: ['ok', 403, 403, 403, 403],
  answerImport: ['ok', 403, 403, 403, 403],
  commitImport: ['ok', 403, 403, 403, 403],
  cancelImport: ['ok', 403, 403, 403, 403],
  getImportUndo: ['ok', 403, 403, 403, 403],
  undoImport: ['ok', 403, 403, 403, 403],
  exportIndividual: ['ok', 'ok', 404, 'ok', 404],
  exportList: ['ok', 'ok', 'ok', 403, 403],
  exportGroup: ['ok', 'ok', 'ok', 403, 403],
  exportPersonalData: ['ok', 403, 404, 403, 404],
  exportGroupAlias: ['ok', 'ok', 'ok', 403, 403],
  listExports: ['ok', 'ok', 'ok', 'ok', 'ok'],
  getExport: ['ok', 404, 404, 404, 404],
  deleteExport: ['ok', 404, 404, 404, 404],
  getCompany: ['ok', 'ok', 'ok', 'ok', 'ok'],
  getSignInSummary: ['ok', 403, 403, 403, 403],
  updateCompany: ['ok', 403, 403, 403, 403],
  listAudit: ['ok', 403, 403, 403, 403],
  listApps: ['ok', 403, 403, 403, 403],
  createApp: ['ok', 403, 403, 403, 403],
  getApp: ['ok', 403, 403, 403, 403],
  updateApp: ['ok', 403, 403, 403, 403],
  deleteApp: ['ok', 403, 403, 403, 403],
  rotateAppSecret: ['ok', 403, 403, 403, 403],
  listDirectories: ['ok', 403, 403, 403, 403],
  createDirectory: ['ok', 403, 403, 403, 403],
  getDirectory: ['ok', 403, 403, 403, 403],
  updateDirectory: ['ok', 403, 403, 403, 403],
  deleteDirectory: ['ok', 403, 403, 403, 403],
  rotateDirectoryToken: ['ok', 403, 403, 403, 403],
  listDirectoryGroups: ['ok', 403, 403, 403, 403],
  listDirectoryErrors: ['ok', 403, 403, 403, 403],
  listDirectorySyncs: ['ok', 403, 403, 403, 403],
  listSignInConnections: ['ok', 403, 403, 403, 403],
  createSignInConnection: ['ok', 403, 403, 403, 403],
  getSignInConnection: ['ok', 403, 403, 403, 403],
  updateSignInConnection: ['ok', 403, 403, 403, 403],
  deleteSignInConnection: ['ok', 403, 403, 403, 403],
  verifySignInDomains: ['ok', 403, 403, 403, 403],
  rotateSignInKey: ['ok', 403, 403, 403, 403],
  testSignInConnection: ['ok', 403, 403, 403, 403],
  listConnections: ['ok', 'ok', 'ok', 'ok', 'ok'],
  getConnection: ['ok', 404, 404, 404, 404],
  confirmConnection: ['ok', 404, 404, 404, 404],
  endConnection: ['ok', 404, 404, 404, 404],
  listWebhooks: ['ok', 403, 403, 403, 403],
  createWebhook: ['ok', 403, 403, 403, 403],
  getWebhook: ['ok', 403, 403, 403, 403],
  getWebhookFigures: ['ok', 403, 403, 403, 403],
  updateWebhook: ['ok', 403, 403, 403, 403],
  deleteWebhook: ['ok', 403, 403, 403, 403],
  rotateWebhookSecret: ['ok', 403, 403, 403, 403],
  testWebhook: ['ok', 403, 403, 403, 403],
  activateWebhook: ['ok', 403, 403, 403, 403],
  getDeliveryCounts: ['ok', 403, 403, 403, 403],
  listDeliveries: ['ok', 403, 403, 403, 403],
  getDelivery: ['ok', 403, 403, 403, 403],
  redeliver: ['ok', 403, 403, 403, 403],
  redeliverRange: ['ok', 403, 403, 403, 403],
  listEvents: ['ok', 403, 403, 403, 403],
  listEventTypes: ['ok', 403, 403, 403, 403],
  performList: ['ok', 403, 403, 403, 403],
  performSubscribe: ['ok', 403, 403, 403, 403],
  performUnsubscribe: ['ok', 403, 403, 403, 403],
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

const sharedSubjects = new Map<string | null, Promise<string>>();
function sharedSubject(managerId: string | null): Promise<string> {
  const shared = sharedSubjects.get(managerId) ?? subject(managerId);
  sharedSubjects.set(managerId, shared);
  return shared;
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
        expect(row).toEqual(fromContract(operation['x-access'], onRecord));
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

    /** If the operation isn't about a collaborator: callers that should be refused share a path. */
    let refused: string | undefined;
    const pathOf = async (expected: A) => {
      if (expected === 'ok') return concrete(app.report.collaborator_id);
      refused ??= await concrete(app.report.collaborator_id);
      return refused;
    };

    /** Callers that are refused change nothing, so they share the subjects of all operations. */
    const subjectFor = (expected: A, managerId: string | null) =>
      expected === 'ok' ? subject(managerId) : sharedSubject(managerId);

    const send = async (client: TestClient, expected: A, target: () => string | Promise<string>) => {
      // Stay within the limit of three per company.
      if (operationId === 'createSignInConnection') await app.database.query('delete from sign_in_connections');
      if (operationId === 'createDirectory') await app.database.query('delete from directories');
      serial += 1;
      const body = bodies[operationId]?.(serial);
      const request = client[method](onRecord ? await concrete(await target()) : await pathOf(expected), body);
      const response = await (forms[operationId]?.(request) ?? request);
      if (method !== 'get') await expectAudited(response, client);
      const { status } = response;
      if (status < 300) return 'ok';
      expect([status, response.body.error]).toEqual(status === 403 ? [403, 'forbidden'] : [404, 'not_found']);
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

    test('admin', async () => {
      expect(await send(app.admin, row[0], () => subjectFor(row[0], null))).toBe(row[0]);
    });

    test('manager, within the team and outside', async () => {
      expect(await send(app.manager, row[1], () => subjectFor(row[1], app.report.collaborator_id))).toBe(row[1]);
      expect(await send(app.manager, row[2], () => subjectFor(row[2], null))).toBe(row[2]);
    });

    test('employee, for themselves and another', async () => {
      expect(await send(app.employee, row[3], () => app.employee.collaborator_id)).toBe(row[3]);
      expect(await send(app.employee, row[4], () => subjectFor(row[4], app.manager.collaborator_id))).toBe(row[4]);
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
