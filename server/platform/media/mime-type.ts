import { textTypeOfExtension, typeOfExtension } from './extension-types.ts';

/** The MIME type of unknown bytes. */
export const OCTET_STREAM = 'application/octet-stream';

/** The extensions that identify the contents of a container, or of XML: Office 2003 wrote it under its usual names. */
const WITHIN: Record<string, readonly string[]> = {
  'application/x-cfb': ['doc', 'dot', 'xls', 'ppt', 'pps', 'msg'],
  'application/zip': ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub', 'apk', 'kmz', 'pkpass'],
  'application/xml': ['svg', 'kml', 'gpx', 'html', 'htm', 'xhtml', 'doc', 'xls', 'ppt'],
};

/**
 * The MIME type to send a document with. The bytes win, so that a name cannot make an image pass for a PDF. The file name
 * decides if they are unknown or only a container, and for text under the name of a text: its first letters mean nothing.
 *
 * @param sniffed The type found in the bytes, {@link OCTET_STREAM} if it is unknown.
 */
export function mimeTypeFor(sniffed: string, filename: string, { isText }: { isText: boolean }): string {
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? '';
  const text = isText ? textTypeOfExtension(extension) : undefined;
  if (text) return text;
  if (sniffed === OCTET_STREAM) return typeOfExtension(extension) ?? OCTET_STREAM;
  return (WITHIN[sniffed]?.includes(extension) && typeOfExtension(extension)) || sniffed;
}

/** Enough to find the control characters of any binary format. Even, for UTF-16. */
const TEXT_BYTES_READ = 64 * 1024;
/** Tab, line ends, and the escape of printers' texts. */
const CONTROLS_OF_TEXT = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);

/** Whether bytes can be text: in UTF-8 or a single-byte encoding, or in UTF-16 with its mark, without control characters. */
export function isText(bytes: Buffer): boolean {
  const start = bytes.subarray(0, TEXT_BYTES_READ);
  const mark = start.toString('latin1', 0, 2);
  const isUtf16 = mark === '\xff\xfe' || mark === '\xfe\xff';
  const codes = isUtf16 ? unitsOf(start, mark === '\xff\xfe') : start;
  return !codes.some((code) => (code < 0x20 && !CONTROLS_OF_TEXT.has(code)) || code === 0x7f);
}

function unitsOf(bytes: Buffer, littleEndian: boolean): Uint16Array {
  return Uint16Array.from({ length: bytes.length >>> 1 }, (_, n) =>
    littleEndian ? bytes.readUInt16LE(2 * n) : bytes.readUInt16BE(2 * n),
  );
}
