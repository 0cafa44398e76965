/** The accepted document types and their detection. The content decides; name and declared type must agree with it. */

export interface DocumentType {
  media_type: string;
  /** File extensions; the first is added to a name without one. */
  extensions: readonly string[];
  /** Other media types that clients declare for it. */
  aliases: readonly string[];
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

/** Declared by clients that don't know the type; text/plain is also the default of a form part (RFC 7578, section 4.4). */
const unknownTypes = ['', 'application/octet-stream', 'binary/octet-stream', 'text/plain'];

/** Types that browsers display safely. Excludes text, whose encoding is unknown. */
export const inlineTypes: readonly string[] = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'];

/** @param extension in lower case */
export function typeByExtension(extension: string): DocumentType | undefined {
  return documentTypes.find(({ extensions }) => extensions.includes(extension));
}

export function typeByMediaType(mediaType: string): DocumentType | undefined {
  return documentTypes.find((type) => type.media_type === mediaType);
}

/** Strips parameters and lowercases. */
export function plainMediaType(mediaType: string): string {
  return mediaType.split(';')[0]!.trim().toLowerCase();
}

/** @param declared as returned by `plainMediaType` */
export function allowsDeclaredType(type: DocumentType, declared: string): boolean {
  return declared === type.media_type || type.aliases.includes(declared) || unknownTypes.includes(declared);
}

/** Whether the client doesn't know the type. */
export function declaresNothing(declared: string): boolean {
  return unknownTypes.includes(declared);
}
