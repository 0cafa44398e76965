/** The registry: one handler per operationId. A missing or extra handler is a compile error. */

import type { Handlers } from '../handler.ts';
import { createApp } from '../operations/apps/createApp.ts';
import { deleteApp } from '../operations/apps/deleteApp.ts';
import { getApp } from '../operations/apps/getApp.ts';
import { listApps } from '../operations/apps/listApps.ts';
import { rotateAppSecret } from '../operations/apps/rotateAppSecret.ts';
import { updateApp } from '../operations/apps/updateApp.ts';
import { listAudit } from '../operations/audit/listAudit.ts';
import { getAuthUser } from '../operations/auth/getAuthUser.ts';
import { activateCollaborator } from '../operations/collaborators/activateCollaborator.ts';
import { assignRole } from '../operations/collaborators/assignRole.ts';
import { bulkCollaborators } from '../operations/collaborators/bulkCollaborators.ts';
import { createCollaborator } from '../operations/collaborators/createCollaborator.ts';
import { deactivateCollaborator } from '../operations/collaborators/deactivateCollaborator.ts';
import { deleteCollaborator } from '../operations/collaborators/deleteCollaborator.ts';
import { deletePhoto } from '../operations/collaborators/deletePhoto.ts';
import { getCollaborator } from '../operations/collaborators/getCollaborator.ts';
import { getHeadcount } from '../operations/collaborators/getHeadcount.ts';
import { getNotifications } from '../operations/collaborators/getNotifications.ts';
import { getStatus } from '../operations/collaborators/getStatus.ts';
import { listCollaborators } from '../operations/collaborators/listCollaborators.ts';
import { listColleagues } from '../operations/collaborators/listColleagues.ts';
import { listDeletedCollaborators } from '../operations/collaborators/listDeletedCollaborators.ts';
import { listFieldValues } from '../operations/collaborators/listFieldValues.ts';
import { listHistory } from '../operations/collaborators/listHistory.ts';
import { listInvitations } from '../operations/collaborators/listInvitations.ts';
import { listOrgChart } from '../operations/collaborators/listOrgChart.ts';
import { patchCollaborator } from '../operations/collaborators/patchCollaborator.ts';
import { resendInvitation } from '../operations/collaborators/resendInvitation.ts';
import { restoreCollaborator } from '../operations/collaborators/restoreCollaborator.ts';
import { sendInvitation } from '../operations/collaborators/sendInvitation.ts';
import { setNotifications } from '../operations/collaborators/setNotifications.ts';
import { setPhoto } from '../operations/collaborators/setPhoto.ts';
import { updateCollaborator } from '../operations/collaborators/updateCollaborator.ts';
import { getCompany } from '../operations/company/getCompany.ts';
import { getSignInSummary } from '../operations/company/getSignInSummary.ts';
import { listSnoozes } from '../operations/company/listSnoozes.ts';
import { setSnooze } from '../operations/company/setSnooze.ts';
import { updateCompany } from '../operations/company/updateCompany.ts';
import { confirmConnection } from '../operations/connections/confirmConnection.ts';
import { endConnection } from '../operations/connections/endConnection.ts';
import { getConnection } from '../operations/connections/getConnection.ts';
import { listConnections } from '../operations/connections/listConnections.ts';
import { createCustomField } from '../operations/custom-fields/createCustomField.ts';
import { deleteCustomField } from '../operations/custom-fields/deleteCustomField.ts';
import { getCustomField } from '../operations/custom-fields/getCustomField.ts';
import { listCustomFields } from '../operations/custom-fields/listCustomFields.ts';
import { updateCustomField } from '../operations/custom-fields/updateCustomField.ts';
import { createDirectory } from '../operations/directories/createDirectory.ts';
import { deleteDirectory } from '../operations/directories/deleteDirectory.ts';
import { getDirectory } from '../operations/directories/getDirectory.ts';
import { listDirectories } from '../operations/directories/listDirectories.ts';
import { listDirectoryErrors } from '../operations/directories/listDirectoryErrors.ts';
import { listDirectoryGroups } from '../operations/directories/listDirectoryGroups.ts';
import { listDirectorySyncs } from '../operations/directories/listDirectorySyncs.ts';
import { rotateDirectoryToken } from '../operations/directories/rotateDirectoryToken.ts';
import { updateDirectory } from '../operations/directories/updateDirectory.ts';
import { deleteDocument } from '../operations/documents/deleteDocument.ts';
import { getDocument } from '../operations/documents/getDocument.ts';
import { listDocuments } from '../operations/documents/listDocuments.ts';
import { uploadDocument } from '../operations/documents/uploadDocument.ts';
import { deleteExport } from '../operations/exports/deleteExport.ts';
import { exportGroup } from '../operations/exports/exportGroup.ts';
import { exportGroupAlias } from '../operations/exports/exportGroupAlias.ts';
import { exportIndividual } from '../operations/exports/exportIndividual.ts';
import { exportList } from '../operations/exports/exportList.ts';
import { exportPersonalData } from '../operations/exports/exportPersonalData.ts';
import { getExport } from '../operations/exports/getExport.ts';
import { listExports } from '../operations/exports/listExports.ts';
import { answerImport } from '../operations/imports/answerImport.ts';
import { cancelImport } from '../operations/imports/cancelImport.ts';
import { commitImport } from '../operations/imports/commitImport.ts';
import { getImport } from '../operations/imports/getImport.ts';
import { getImportTemplate } from '../operations/imports/getImportTemplate.ts';
import { getImportUndo } from '../operations/imports/getImportUndo.ts';
import { importCollaborators } from '../operations/imports/importCollaborators.ts';
import { listImportErrors } from '../operations/imports/listImportErrors.ts';
import { listImports } from '../operations/imports/listImports.ts';
import { undoImport } from '../operations/imports/undoImport.ts';
import { listPermissions } from '../operations/permissions/listPermissions.ts';
import { createSavedView } from '../operations/saved-views/createSavedView.ts';
import { deleteSavedView } from '../operations/saved-views/deleteSavedView.ts';
import { getSavedView } from '../operations/saved-views/getSavedView.ts';
import { listSavedViews } from '../operations/saved-views/listSavedViews.ts';
import { updateSavedView } from '../operations/saved-views/updateSavedView.ts';
import { createSignInConnection } from '../operations/sign-in-connections/createSignInConnection.ts';
import { deleteSignInConnection } from '../operations/sign-in-connections/deleteSignInConnection.ts';
import { getSignInConnection } from '../operations/sign-in-connections/getSignInConnection.ts';
import { listSignInConnections } from '../operations/sign-in-connections/listSignInConnections.ts';
import { rotateSignInKey } from '../operations/sign-in-connections/rotateSignInKey.ts';
import { testSignInConnection } from '../operations/sign-in-connections/testSignInConnection.ts';
import { updateSignInConnection } from '../operations/sign-in-connections/updateSignInConnection.ts';
import { verifySignInDomains } from '../operations/sign-in-connections/verifySignInDomains.ts';
import { activateWebhook } from '../operations/webhooks/activateWebhook.ts';
import { createWebhook } from '../operations/webhooks/createWebhook.ts';
import { deleteWebhook } from '../operations/webhooks/deleteWebhook.ts';
import { getDelivery } from '../operations/webhooks/getDelivery.ts';
import { getDeliveryCounts } from '../operations/webhooks/getDeliveryCounts.ts';
import { getWebhook } from '../operations/webhooks/getWebhook.ts';
import { getWebhookFigures } from '../operations/webhooks/getWebhookFigures.ts';
import { listDeliveries } from '../operations/webhooks/listDeliveries.ts';
import { listEvents } from '../operations/webhooks/listEvents.ts';
import { listEventTypes } from '../operations/webhooks/listEventTypes.ts';
import { listWebhooks } from '../operations/webhooks/listWebhooks.ts';
import { performList } from '../operations/webhooks/performList.ts';
import { performSubscribe } from '../operations/webhooks/performSubscribe.ts';
import { performUnsubscribe } from '../operations/webhooks/performUnsubscribe.ts';
import { redeliver } from '../operations/webhooks/redeliver.ts';
import { redeliverRange } from '../operations/webhooks/redeliverRange.ts';
import { rotateWebhookSecret } from '../operations/webhooks/rotateWebhookSecret.ts';
import { testWebhook } from '../operations/webhooks/testWebhook.ts';
import { updateWebhook } from '../operations/webhooks/updateWebhook.ts';

export const handlers = {
  getAuthUser,
  listCollaborators,
  listFieldValues,
  createCollaborator,
  bulkCollaborators,
  getCollaborator,
  getCompany,
  getSignInSummary,
  updateCollaborator,
  updateCompany,
  patchCollaborator,
  deleteCollaborator,
  restoreCollaborator,
  assignRole,
  getStatus,
  activateCollaborator,
  deactivateCollaborator,
  sendInvitation,
  resendInvitation,
  getNotifications,
  setNotifications,
  listCustomFields,
  createCustomField,
  getCustomField,
  updateCustomField,
  deleteCustomField,
  listHistory,
  setPhoto,
  deletePhoto,
  listDocuments,
  uploadDocument,
  getDocument,
  deleteDocument,
  getImportTemplate,
  importCollaborators,
  listImports,
  listInvitations,
  listColleagues,
  listSnoozes,
  setSnooze,
  listSavedViews,
  createSavedView,
  getSavedView,
  updateSavedView,
  deleteSavedView,
  listDeletedCollaborators,
  listOrgChart,
  getHeadcount,
  getImport,
  listImportErrors,
  commitImport,
  answerImport,
  cancelImport,
  getImportUndo,
  undoImport,
  exportIndividual,
  exportList,
  exportPersonalData,
  exportGroup,
  exportGroupAlias,
  listExports,
  getExport,
  deleteExport,
  listPermissions,
  listAudit,
  listApps,
  createApp,
  getApp,
  updateApp,
  deleteApp,
  rotateAppSecret,
  createDirectory,
  deleteDirectory,
  getDirectory,
  listDirectories,
  listDirectoryErrors,
  listDirectoryGroups,
  listDirectorySyncs,
  rotateDirectoryToken,
  updateDirectory,
  createSignInConnection,
  deleteSignInConnection,
  getSignInConnection,
  listSignInConnections,
  testSignInConnection,
  updateSignInConnection,
  verifySignInDomains,
  rotateSignInKey,
  listConnections,
  getConnection,
  confirmConnection,
  endConnection,
  listWebhooks,
  createWebhook,
  getWebhook,
  getWebhookFigures,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  activateWebhook,
  getDeliveryCounts,
  listDeliveries,
  getDelivery,
  redeliver,
  redeliverRange,
  listEvents,
  listEventTypes,
  performList,
  performSubscribe,
  performUnsubscribe,
} satisfies Handlers;
