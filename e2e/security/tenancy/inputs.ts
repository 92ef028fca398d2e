import { z } from 'zod';
import { SURPRISE_NAMES } from '#server/sandbox/sandbox-phone.ts';
import { freshEmail, IN_A_MONTH, PASSWORD } from '#server/testing/domain.ts';
import type { Things } from './missing.ts';

const TIME_ZONE = 'Europe/Berlin';

/** A valid value for each field of the dashboard's API that is not an id. */
const VALUES: Readonly<Record<string, () => unknown>> = {
  // A part of each address.
  account: () => '@',
  active: () => true,
  atItsTime: () => false,
  events: () => ['message.failed'],
  failed: () => false,
  topic: () => 'plan',
  time: () => 'never',
  refused: () => true,
  unsent: () => true,
  errorCode: () => 'not_connected',
  httpStatus: () => '4xx',
  url: () => 'https://example.com/events',
  accountName: () => 'Not its name',
  action: () => 'key.create',
  actor: () => 'cli',
  reason: () => 'A reason',
  amountCents: () => 2000,
  drain: () => true,
  overlapHours: () => 1,
  paidOn: () => null,
  recipient: () => '4915112345678',
  reference: () => 'A reference',
  suspended: () => true,
  workerId: () => 'wrk_of_nobody',
  async: () => true,
  answer: () => '{}',
  attempt: () => 'An attempt',
  body: () => 'A reply',
  code: () => 'ABCD2345',
  current: () => PASSWORD,
  cursor: () => null,
  phoneAction: () => 'clearInbox',
  delivered: () => true,
  demanded: () => true,
  email: freshEmail,
  expiresAt: () => null,
  from: () => '4915112345678',
  kind: () => 'retry',
  label: () => 'A label',
  list: () => 'messages',
  query: () => 'status=failed',
  metadataRetentionDays: () => 60,
  name: () => 'A name',
  network: () => 'sandbox',
  note: () => 'A note',
  contact: () => 'A contact',
  contactName: () => 'A name',
  contactAddress: () => 'someone@example.com',
  numbers: () => 3,
  numbersIncluded: () => 50,
  on: () => false,
  paidUntil: () => IN_A_MONTH,
  pairingPhone: () => '4915112345678',
  latestId: () => Number.MAX_SAFE_INTEGER,
  phone: () => '4915112345679',
  password: () => PASSWORD,
  read: () => true,
  request: () => ({ to: '4915112345678', body: 'Tried by hand' }),
  search: () => 'hello',
  seen: () => undefined,
  send: () => true,
  sentAgainAs: () => null,
  sendIntervalSeconds: () => 9,
  role: () => 'owner',
  show: () => 'all',
  since: () => new Date(0).toISOString(),
  status: () => 'queued',
  text: () => 'Transfer it to our account.',
  surprise: () => SURPRISE_NAMES[0],
  textRetentionDays: () => 20,
  timeZone: () => TIME_ZONE,
  range: () => '7d',
  token: () => 'x'.repeat(32),
  type: () => 'text',
  until: () => new Date().toISOString(),
  version: () => '2.3000.1',
};
const IDS = [
  'accountId',
  'numberId',
  'keyId',
  'messageId',
  'signInId',
  'userId',
  'invitationId',
  'alertId',
  'endpointId',
  'eventId',
  'requestId',
] as const;
/** Fields that take several ids of one kind. */
const LISTS: Readonly<Record<string, (typeof IDS)[number]>> = { ids: 'messageId', numberIds: 'numberId' };

export interface Input {
  /** The ids that it contains; empty if there are none. */
  ids: string[];
  of(things: Things): unknown;
}

/**
 * Inputs for a procedure, from its own schema: one with every field, one with the required fields only.
 * Throws for a field without a value here, so that nobody forgets a new field.
 */
export function inputsOf(path: string, schemas: readonly unknown[]): Input[] {
  const shape: Record<string, z.ZodType> = {};
  for (const schema of schemas) {
    if (!(schema instanceof z.ZodObject)) throw new Error(`${path} takes something else than an object`);
    Object.assign(shape, schema.shape);
  }
  const fields = Object.keys(shape);
  const required = fields.filter((field) => !shape[field]?.safeParse(undefined).success);
  return [fields, ...(required.length < fields.length ? [required] : [])].map((chosen) => ({
    ids: chosen.filter((field) => (IDS as readonly string[]).includes(field) || field === 'numberIds'),
    of: (things) =>
      schemas.length === 0
        ? undefined
        : Object.fromEntries(chosen.map((field) => [field, valueFor(path, field, things)])),
  }));
}

function valueFor(path: string, field: string, things: Things): unknown {
  const id = IDS.find((name) => name === field);
  // The user that the administrator means. In other procedures an address is the caller's own.
  if (field === 'email' && path.startsWith('admin.') && path !== 'admin.releaseEmail') return things.email;
  // Another member of the account: no procedure lets users act on themselves here.
  if (field === 'userId') return things.personId;
  if (field === 'renewals')
    return [
      { accountId: things.accountId, paidUntil: '2099-12-31', amountCents: 2500, reference: 'A reference' },
    ];
  if (id) return things[id];
  const list = LISTS[field];
  if (list) return [things[list]];
  const value = VALUES[field];
  if (!value) throw new Error(`${path} has the field "${field}": give it a value in inputs.ts`);
  return value();
}
