/** The MIME type of unknown bytes. */
export const OCTET_STREAM = 'application/octet-stream';

/** Types that bytes alone do not identify: text has no signature, and old Office files share a container. */
const BY_EXTENSION: Record<string, string> = {
  csv: 'text/csv',
  css: 'text/css',
  eml: 'message/rfc822',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  js: 'text/javascript',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  txt: 'text/plain',
  vcf: 'text/vcard',
  svg: 'image/svg+xml',
  xml: 'application/xml',
  kml: 'application/vnd.google-earth.kml+xml',
  gpx: 'application/gpx+xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  msg: 'application/vnd.ms-outlook',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  apk: 'application/vnd.android.package-archive',
  kmz: 'application/vnd.google-earth.kmz',
};

/** The extensions that identify the contents of a container. */
const WITHIN: Record<string, readonly string[]> = {
  'application/x-cfb': ['doc', 'xls', 'ppt', 'msg'],
  'application/zip': ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub', 'apk', 'kmz'],
  'application/xml': ['svg', 'kml', 'gpx', 'html', 'htm'],
};

/**
 * The MIME type to send a document with. The bytes win; the file name decides only if they are unknown or only a
 * container, so that a name cannot make an image pass for a PDF.
 *
 * @param sniffed The type found in the bytes, {@link OCTET_STREAM} if it is unknown.
 */
export function mimeTypeFor(sniffed: string, filename: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? '';
  const named = Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
  if (!named) return sniffed;
  if (sniffed === OCTET_STREAM) return named;
  return WITHIN[sniffed]?.includes(extension) ? named : sniffed;
}
