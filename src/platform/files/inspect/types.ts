/**
 * The accepted types of documents, and how they are recognised. The content decides; the file name and the declared
 * type must agree with it, so that a file is what its name says.
 */

export interface DocumentType {
  media_type: string;
  /** Endings of names; the first is added to a name that has none. */
  extensions: readonly string[];
  /** What clients declare for it, beside its own type. */
  aliases: readonly string[];
  /** How the content is examined. */
  content: 'magic' | 'office' | 'text';
}

const zip = ['application/zip', 'application/x-zip-compressed'];
const office = 'application/vnd.openxmlformats-officedocument';
const openDocument = 'application/vnd.oasis.opendocument';

const documentTypes: readonly DocumentType[] = [
  { media_type: 'application/pdf', extensions: ['pdf'], aliases: ['application/x-pdf'], content: 'magic' },
  { media_type: 'image/jpeg', extensions: ['jpg', 'jpeg'], aliases: ['image/jpg', 'image/pjpeg'], content: 'magic' },
  { media_type: 'image/png', extensions: ['png'], aliases: ['image/x-png'], content: 'magic' },
  { media_type: 'image/webp', extensions: ['webp'], aliases: [], content: 'magic' },
  { media_type: 'image/heic', extensions: ['heic', 'heif'], aliases: ['image/heif'], content: 'magic' },
  { media_type: `${office}.wordprocessingml.document`, extensions: ['docx'], aliases: zip, content: 'office' },
  { media_type: `${office}.spreadsheetml.sheet`, extensions: ['xlsx'], aliases: zip, content: 'office' },
  { media_type: `${openDocument}.text`, extensions: ['odt'], aliases: zip, content: 'office' },
  { media_type: `${openDocument}.spreadsheet`, extensions: ['ods'], aliases: zip, content: 'office' },
  { media_type: 'text/plain', extensions: ['txt'], aliases: [], content: 'text' },
  {
    media_type: 'text/csv',
    extensions: ['csv'],
    // Browsers on a machine with a spreadsheet program declare that program's type.
    aliases: ['text/plain', 'application/csv', 'application/vnd.ms-excel', 'text/comma-separated-values'],
    content: 'text',
  },
];

/**
 * What clients declare when they do not know, and what a part of a form is that declares nothing (RFC 7578, section 4.4):
 * whether somebody wrote that can't be told.
 */
const unknownTypes = ['', 'application/octet-stream', 'binary/octet-stream', 'text/plain'];

/** What can do no harm when a browser shows it. Text is left out: its encoding is not known. */
export const inlineTypes: readonly string[] = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'];

/** @param extension in lower case */
export function typeByExtension(extension: string): DocumentType | undefined {
  return documentTypes.find(({ extensions }) => extensions.includes(extension));
}

export function typeByMediaType(mediaType: string): DocumentType | undefined {
  return documentTypes.find((type) => type.media_type === mediaType);
}

/** Without parameters, in lower case. */
export function plainMediaType(mediaType: string): string {
  return mediaType.split(';')[0]!.trim().toLowerCase();
}

/** @param declared what the client says, as `plainMediaType` has it */
export function mayDeclare(type: DocumentType, declared: string): boolean {
  return declared === type.media_type || type.aliases.includes(declared) || unknownTypes.includes(declared);
}

/** Whether the client says nothing about the type. */
export function declaresNothing(declared: string): boolean {
  return unknownTypes.includes(declared);
}
