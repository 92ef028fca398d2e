import { storableStart } from '#server/core/storable.ts';

/** Fields that are shown as they are. All others could hold content, personal data or a key. */
const SHOWN: ReadonlySet<string> = new Set(['to', 'reference', 'active', 'events', 'since', 'limit']);
const BODY_CHARS_MAX = 2_000;
const FIELDS_MAX = 50;
const NAME_CHARS_MAX = 64;
const VALUE_CHARS_MAX = 200;

/** A recipient, also one with a wrong form. Anything else in `to` could be a text or a name in the wrong field. */
const RECIPIENT = /^[^\p{L}]{0,64}(@[a-z.]{1,16})?$/u;

/** A request's JSON for the log: field names, and only values that are not content. At most 2,000 characters. */
export function maskBody(body: Record<string, unknown>): string {
  const fields = Object.entries(body).slice(0, FIELDS_MAX);
  const masked = fields.map(([name, value]) => [name.slice(0, NAME_CHARS_MAX), maskValue(name, value)]);
  return storableStart(JSON.stringify(Object.fromEntries(masked)), BODY_CHARS_MAX);
}

function maskValue(name: string, value: unknown): unknown {
  if (value === null) return null;
  if (SHOWN.has(name)) {
    if (typeof value === 'string') return shownText(name, value);
    if (typeof value === 'number' || typeof value === 'boolean') return value;
    if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
      return value.slice(0, FIELDS_MAX).map((item: string) => shownText(name, item));
  }
  return typeof value === 'string' ? charactersOf(value) : `[${typeof value}]`;
}

function shownText(name: string, text: string): string {
  return name === 'to' && !RECIPIENT.test(text) ? charactersOf(text) : text.slice(0, VALUE_CHARS_MAX);
}

const charactersOf = (text: string) => `[${text.length} characters]`;
