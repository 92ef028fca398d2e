import pg from 'pg';

/** OID in PostgreSQL's catalog. */
const TIMESTAMPTZ = 1184;
/**
 * `date`, `time`, `timestamp`, `interval`, and arrays of dates, timestamps and `numeric`: as the text that the
 * server sends.
 */
const AS_TEXT = new Set([1082, 1083, 1114, 1115, 1182, 1185, 1186, 1231]);

export function parserOf(oid: number, format?: string): (text: string) => unknown {
  if (oid === TIMESTAMPTZ) return (text) => new Date(text);
  if (AS_TEXT.has(oid)) return (text) => text;
  return pg.types.getTypeParser(oid, format as 'text');
}
