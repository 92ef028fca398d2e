import { DateTime } from 'luxon';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { idempotencyKey } from '../shared/idempotency-key';
import { phoneOf } from '../shared/phone';
import { request } from '../shared/request';

/** Less than the 55 seconds within which Wirebird answers. */
const WAIT_SECONDS = 50;
const PAGE_MAX = 100;

/** What an operation returns for one input item. */
type Operation = (ctx: IExecuteFunctions, itemIndex: number) => Promise<IDataObject[]>;

/** Each operation by its resource and name. */
export const OPERATIONS: Record<string, Operation> = {
  'message:send': send,
  'message:get': async (ctx, itemIndex) => {
    const path = `/messages/${messageId(ctx, itemIndex)}`;
    return [(await request(ctx, { method: 'GET', path, repeatable: true, itemIndex })).data];
  },
  'message:getAll': getMany,
  'message:cancel': async (ctx, itemIndex) => {
    const path = `/messages/${messageId(ctx, itemIndex)}/cancel`;
    return [(await request(ctx, { method: 'POST', path, repeatable: false, itemIndex })).data];
  },
  'recipient:check': check,
  'number:getStatus': async (ctx, itemIndex) => [
    (await request(ctx, { method: 'GET', path: '/status', repeatable: true, itemIndex })).data,
  ],
};

const messageId = (ctx: IExecuteFunctions, itemIndex: number) =>
  encodeURIComponent(textOf(ctx.getNodeParameter('messageId', itemIndex)));

/** The fields of each kind; those that are not required are left out when empty. */
const FIELDS: Record<string, { required: string[]; optional?: string[] }> = {
  text: { required: ['body'] },
  image: { required: ['url'], optional: ['caption'] },
  document: { required: ['url', 'filename'], optional: ['caption'] },
  location: { required: ['latitude', 'longitude'], optional: ['name', 'address'] },
  contact: { required: ['contactName', 'contactPhone'] },
  audio: { required: ['url'] },
};

interface SendOptions {
  dryRun?: boolean;
  expiresInSeconds?: number;
  idempotencyKey?: string | number;
  reference?: string | number;
  sendAt?: string;
}

async function send(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
  const kind = ctx.getNodeParameter('kind', itemIndex) as string;
  const options = ctx.getNodeParameter('options', itemIndex, {}) as SendOptions;
  const wait = ctx.getNodeParameter('waitForOutcome', itemIndex) as boolean;
  const key = textOf(options.idempotencyKey);
  const { data, headers } = await request(ctx, {
    method: 'POST',
    path: `/messages/${kind}`,
    body: bodyOf(ctx, itemIndex, kind, textOf(options.reference)),
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': key === '' ? idempotencyKey(ctx, itemIndex) : key,
      Prefer: wait ? `wait=${WAIT_SECONDS}` : 'respond-async',
      ...(options.sendAt && { 'X-Send-At': timeOf(ctx, options.sendAt) }),
      ...(options.expiresInSeconds && { 'X-Expires-In': String(options.expiresInSeconds) }),
      ...(options.dryRun && { 'X-Dry-Run': 'true' }),
    },
    repeatable: true,
    itemIndex,
  });
  const estimatedSendAt = headers['x-estimated-send-at'];
  const estimatedWait = headers['x-estimated-wait'];
  return [
    {
      ...data,
      replayed: headers['idempotency-replayed'] === 'true',
      ...(estimatedSendAt !== undefined && { estimatedSendAt }),
      ...(estimatedWait !== undefined && { estimatedWaitSeconds: Number(estimatedWait) }),
    },
  ];
}

function bodyOf(ctx: IExecuteFunctions, itemIndex: number, kind: string, reference: string): IDataObject {
  const { required, optional = [] } = FIELDS[kind];
  const body: IDataObject = { to: phoneOf(textOf(ctx.getNodeParameter('to', itemIndex))) };
  for (const name of [...required, ...optional]) {
    const value = ctx.getNodeParameter(name, itemIndex);
    if (name === 'latitude' || name === 'longitude') body[name] = Number(value);
    else if (name === 'contactPhone') body[name] = phoneOf(textOf(value));
    // Not trimmed, because the author of a text may want its spaces.
    else if (required.includes(name) || textOf(value) !== '') body[name] = String(value ?? '');
  }
  if (reference !== '') body.reference = reference;
  return body;
}

async function getMany(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
  const returnAll = ctx.getNodeParameter('returnAll', itemIndex) as boolean;
  const limit = returnAll ? Number.POSITIVE_INFINITY : (ctx.getNodeParameter('limit', itemIndex) as number);
  const filters = ctx.getNodeParameter('filters', itemIndex, {}) as Record<string, unknown>;
  const qs: IDataObject = {};
  for (const [name, value] of Object.entries(filters)) {
    const text = textOf(value);
    if (text === '') continue;
    if (name === 'since' || name === 'until') qs[name] = timeOf(ctx, text);
    else qs[name] = name === 'to' ? phoneOf(text) : text;
  }
  const messages: IDataObject[] = [];
  do {
    qs.limit = Math.min(PAGE_MAX, limit - messages.length);
    const { data } = await request(ctx, {
      method: 'GET',
      path: '/messages',
      qs,
      repeatable: true,
      itemIndex,
    });
    messages.push(...(data.messages as IDataObject[]));
    qs.cursor = data.next;
  } while (qs.cursor && messages.length < limit);
  return messages;
}

async function check(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
  const phones = textOf(ctx.getNodeParameter('phones', itemIndex))
    .split(/[,;\n]/)
    .map((phone) => phoneOf(phone.trim()))
    .filter(Boolean);
  const { data } = await request(ctx, {
    method: 'POST',
    path: '/recipients/check',
    body: { to: phones },
    headers: { 'Content-Type': 'application/json' },
    repeatable: true,
    itemIndex,
  });
  return data.recipients as IDataObject[];
}

/** An expression can give a number where a text is expected. */
const textOf = (value: unknown) => String(value ?? '').trim();

/** A time without an offset is in the workflow's time zone. The API refuses text that is not a time. */
function timeOf(ctx: IExecuteFunctions, text: string): string {
  return DateTime.fromISO(text, { zone: ctx.getTimezone(), setZone: true }).toISO() ?? text;
}
