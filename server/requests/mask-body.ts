import { storableStart } from '#server/core/storable.ts';

/** Fields that are shown as they are. All others could hold content, personal data or a key. */
const SHOWN: ReadonlySet<string> = new Set(['to', 'reference', 'active', 'events', 'since', 'limit']);
const BODY_CHARS_MAX = 2_000;
const FIELDS_MAX = 50;
const NAME_CHARS_MAX = 64;
const VALUE_CHARS_MAX = 200;

/** A request's JSON for the log: field names, and only values that are not content. At most 2,000 characters. */
export function maskBody(body: Record<string, unknown>): string {
  const fields = Object.entries(body).slice(0, FIELDS_MAX);
  const masked = fields.map(([name, value]) => [name.slice(0, NAME_CHARS_MAX), maskValue(name, value)]);
  return storableStart(JSON.stringify(Object.fromEntries(masked)), BODY_CHARS_MAX);
}

function maskValue(name: string, value: unknown): unknown {
  if (value === null) return null;
  if (SHOWN.has(name)) {
    if (typeof value === 'string') return value.slice(0, VALUE_CHARS_MAX);
    if (typeof value === 'number' || typeof value === 'boolean') return value;
    if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
      return value.slice(0, FIELDS_MAX).map((item: string) => item.slice(0, VALUE_CHARS_MAX));
  }
  return typeof value === 'string' ? `[${value.length} characters]` : `[${typeof value}]`;
}
