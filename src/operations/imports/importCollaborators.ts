import { Problem } from '../../errors.ts';
import { discardObject } from '../../files/discard.ts';
import type { Handler } from '../../http/handler.ts';
import { createImport } from '../../imports/create.ts';
import { importLocation } from '../../imports/find.ts';
import { receiveBase64 } from '../../imports/receive.ts';
import { importView } from '../../imports/view.ts';

export const importCollaborators: Handler<'importCollaborators'> = async ({ body }, context) => {
  const { tenant, caller, files } = context;
  const file = 'file' in body ? body.file : await receiveBase64(files, tenant.company_id, body);
  try {
    const row = await tenant.transaction((tx) => createImport(tx, caller, file, body));
    return { status: 202, headers: { Location: importLocation(row) }, body: importView(row, context) };
  } catch (error) {
    // After any other error it is not known whether the row is there; what lies about is found by the sweep.
    if (error instanceof Problem) await discardObject(files.storage, file.key);
    throw error;
  }
};
