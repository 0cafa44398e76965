/** Mails a person at the new address in their company's record, to confirm it as their sign-in address. */
import type { Task } from 'graphile-worker';
import type { Database } from '../../../platform/db/client.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';
import type { ConfirmAddressJob } from '../../../product/collaborators/write/confirm-address.ts';
import type { AddressLinks } from '../../../product/sign-in-address/address-links.ts';
import { sendAddressLink } from '../../../product/sign-in-address/sign-in-address.ts';

export function confirmAddress(links: AddressLinks, db: Database, mail: MailQueue, baseUrl: string): Task {
  return (payload) => sendAddressLink(db, mail, links, baseUrl, payload as ConfirmAddressJob);
}
