/** Types of text, which has no signature. */
const TEXT: Record<string, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  css: 'text/css',
  eml: 'message/rfc822',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  ini: 'text/plain',
  js: 'text/javascript',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  srt: 'application/x-subrip',
  sql: 'application/sql',
  txt: 'text/plain',
  vcf: 'text/vcard',
  vtt: 'text/vtt',
  svg: 'image/svg+xml',
  xml: 'application/xml',
  xhtml: 'application/xhtml+xml',
  kml: 'application/vnd.google-earth.kml+xml',
  gpx: 'application/gpx+xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/** Types of other files that people send, for bytes that are not recognised or only a container. */
const OTHER: Record<string, string> = {
  pdf: 'application/pdf',
  rtf: 'application/rtf',
  ps: 'application/postscript',
  eps: 'application/postscript',
  doc: 'application/msword',
  dot: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  pps: 'application/vnd.ms-powerpoint',
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
  pkpass: 'application/vnd.apple.pkpass',
  p7m: 'application/pkcs7-mime',
  p7s: 'application/pkcs7-signature',
  zip: 'application/zip',
  rar: 'application/vnd.rar',
  '7z': 'application/x-7z-compressed',
  gz: 'application/gzip',
  tar: 'application/x-tar',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  bmp: 'image/bmp',
  psd: 'image/vnd.adobe.photoshop',
  dwg: 'image/vnd.dwg',
  dxf: 'image/vnd.dxf',
  stl: 'model/stl',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  avi: 'video/x-msvideo',
  webm: 'video/webm',
};

const typeIn = (types: Record<string, string>, extension: string) =>
  Object.hasOwn(types, extension) ? types[extension] : undefined;

/** The type that an extension stands for, if it is known. */
export const typeOfExtension = (extension: string): string | undefined =>
  textTypeOfExtension(extension) ?? typeIn(OTHER, extension);

/** The same, for extensions of text alone. */
export const textTypeOfExtension = (extension: string): string | undefined => typeIn(TEXT, extension);
