/** Why there will be no file, however often it is tried. The message is for who asked for the export. */
export class ExportFailure extends Error {
  override name = 'ExportFailure';
}
