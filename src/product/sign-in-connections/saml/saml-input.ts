/** Converts an admin's input for a SAML provider (metadata URL, metadata XML, or single values) to columns of the connection. */
import type { components } from '../../../../generated/api.ts';
import { type Text, t } from '../../../contract/languages/text.ts';
import { type FieldErrors, validationError } from '../../../contract/problem.ts';
import { targetError } from '../../webhooks/subscriptions/target.ts';
import { createGuardedFetch } from '../guarded-fetch.ts';
import { readCertificate } from './certificates.ts';
import { readMetadata, type SamlProvider } from './metadata.ts';
import { maxXmlCharacters, XmlError } from './xml.ts';

type SamlInput = Pick<
  components['schemas']['SamlCreate'],
  'metadata_url' | 'metadata_xml' | 'sso_url' | 'certificates'
> & {
  entity_id?: string | undefined;
};

interface Settings {
  allow_private: boolean;
}

export interface SamlColumns extends SamlProvider {
  metadata_url: string | null;
  metadata_read_at: string | null;
}

/** Without the entity ID, which can't change. */
export function columnsOf({ entity_id: _, ...columns }: SamlColumns): Omit<SamlColumns, 'entity_id'> {
  return columns;
}

/**
 * @param known values of an existing connection, whose entity ID can't change
 * @returns undefined if the input of an existing connection is empty
 * @throws 400
 */
export async function readSamlInput(
  input: SamlInput,
  settings: Settings,
  known?: { entity_id: string; sso_url: string; certificates: string[] },
): Promise<SamlColumns | undefined> {
  const { metadata_url: url, metadata_xml: xml, sso_url: ssoUrl, certificates, entity_id: entityId } = input;
  const isManual = [ssoUrl, certificates, entityId].some((each) => each !== undefined);
  const inputCount = [url !== undefined, xml !== undefined, isManual].filter(Boolean).length;
  if (inputCount === 0 && known) return undefined;
  if (inputCount !== 1)
    throw fieldError(
      'saml',
      'required',
      t`Provide exactly one of these: the metadata URL, the metadata, or the individual values.`,
    );
  if (url !== undefined) {
    await refuseAddress('saml.metadata_url', url, settings);
    const provider = await checked('saml.metadata_url', settings, () => fetchMetadata(url, settings), known);
    return { ...provider, metadata_url: url, metadata_read_at: new Date().toISOString() };
  }
  const none = { metadata_url: null, metadata_read_at: null };
  if (xml !== undefined) {
    return { ...(await checked('saml.metadata_xml', settings, async () => readMetadata(xml), known)), ...none };
  }
  return { ...(await manualProvider(input, settings, known)), ...none };
}

/** @throws if the URL doesn't respond, or not with the metadata of a provider */
export async function fetchMetadata(url: string, settings: Settings): Promise<SamlProvider> {
  const response = await createGuardedFetch(settings)(url, {
    headers: { accept: 'application/samlmetadata+xml, text/xml' },
  });
  if (response.status !== 200) throw new XmlError(`the URL returned ${response.status}`);
  const text = await response.text();
  if (text.length > maxXmlCharacters) throw new XmlError('the XML is too large');
  return readMetadata(text);
}

async function checked(
  field: string,
  settings: Settings,
  read: () => Promise<SamlProvider>,
  known: { entity_id: string } | undefined,
): Promise<SamlProvider> {
  let provider: SamlProvider;
  try {
    provider = await read();
  } catch (error) {
    const reason = error instanceof XmlError ? error.message : 'the URL does not respond';
    throw fieldError(field, 'invalid_format', t`This isn’t the metadata of an identity provider: ${reason}.`);
  }
  await refuseAddress(field, provider.sso_url, settings);
  if (known && provider.entity_id !== known.entity_id) {
    throw fieldError(
      field,
      'invalid_format',
      t`This is the metadata of another provider: its entity ID is ${provider.entity_id}.`,
    );
  }
  return provider;
}

async function manualProvider(
  { sso_url: ssoUrl, certificates, entity_id: entityId }: SamlInput,
  settings: Settings,
  known: SamlProvider | undefined,
): Promise<SamlProvider> {
  const missing: FieldErrors = {};
  const entered = { entity_id: known?.entity_id ?? entityId, sso_url: ssoUrl ?? known?.sso_url, certificates };
  for (const [name, value] of Object.entries(entered)) {
    if (value === undefined && !(known && name === 'certificates')) {
      missing[`saml.${name}`] = [{ code: 'required', message: t`This field is required.` }];
    }
  }
  if (Object.keys(missing).length > 0) throw validationError(missing);
  if (ssoUrl !== undefined) await refuseAddress('saml.sso_url', ssoUrl, settings);
  const pems = (certificates ?? []).map((text, at) => {
    const pem = readCertificate(text);
    if (pem) return pem;
    throw fieldError(
      `saml.certificates.${at}`,
      'invalid_format',
      t`Must be an X.509 certificate of an RSA key of at least 2,048 bits.`,
    );
  });
  return {
    entity_id: entered.entity_id!,
    sso_url: entered.sso_url!,
    certificates: certificates ? [...new Set(pems)] : known!.certificates,
  };
}

async function refuseAddress(field: string, url: string, settings: Settings): Promise<void> {
  const refused = await targetError(url, settings);
  if (refused) throw validationError({ [field]: [refused] });
}

function fieldError(field: string, code: 'required' | 'invalid_format', message: Text) {
  return validationError({ [field]: [{ code, message }] });
}
