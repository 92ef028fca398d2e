import { z } from 'zod';
import { LIMITS } from '#server/core/limits.ts';
import { pick } from '#server/core/pick.ts';
import { requiredText, timeField, tokenField } from '#server/core/request-fields.ts';
import { unknownName } from '#server/core/unknown-name.ts';
import { EVENT_TYPES } from '#server/core/webhooks/events.ts';
import type { EndpointView } from '#server/webhooks/endpoints.ts';
import { successOf } from '../envelope.ts';
import { operationsOf } from '../operation.ts';

const meta = operationsOf('Webhooks');

export const createWebhookMeta = meta('POST', '/webhooks', {
  summary: 'Create a webhook endpoint',
  description: `Events of the key’s number are posted to \`url\` from now on, signed according to Standard Webhooks. \`secret\` is only in this response. A number has at most ${LIMITS.webhookEndpoints} endpoints.`,
  successDescription: 'The endpoint and its signing secret.',
});
export const listWebhooksMeta = meta('GET', '/webhooks', {
  summary: 'List the webhook endpoints',
  description: 'The endpoints of the key’s number, oldest first.',
  successDescription: 'The endpoints.',
});
export const changeWebhookMeta = meta('PATCH', '/webhooks/{id}', {
  summary: 'Change a webhook endpoint',
  description:
    'Omitted fields do not change. `active: true` also re-enables an endpoint that was switched off after failures.',
  successDescription: 'The endpoint.',
});
export const deleteWebhookMeta = meta('DELETE', '/webhooks/{id}', {
  summary: 'Delete a webhook endpoint',
  description: 'It receives no more events. Its delivery log is deleted.',
  successDescription: 'The endpoint was deleted.',
});
export const rotateWebhookMeta = meta('POST', '/webhooks/{id}/rotate', {
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'For 24 hours, requests are also signed with the old secret. That holds for each secret, however often you rotate.',
  successDescription: 'The endpoint and its new signing secret.',
});
export const testWebhookMeta = meta('POST', '/webhooks/{id}/test', {
  summary: 'Send a test event',
  description:
    'Sends an event of the type `webhook.test` to this endpoint only, whatever it subscribes to. Its `data` has the endpoint’s `id` and a `sequence`. Also ends the wait of an endpoint that fails: its next request is sent at once.',
  successDescription: 'The event is being sent.',
});
export const replayWebhookMeta = meta('POST', '/webhooks/{id}/replay', {
  summary: 'Send events again',
  description:
    'Sends all stored events since a time, including those already delivered, with the same `webhook-id`.',
  successDescription: 'Number of events that are sent.',
});

/** Each type twice; a longer list is a mistake. */
const EVENTS_MAX = 2 * EVENT_TYPES.length;
const EVENTS = EVENT_TYPES.join(', ');

const url = requiredText({
  field: 'url',
  what: 'the address that events are posted to',
  charsMax: LIMITS.endpointUrlChars,
}).meta({ description: 'A public address. In production it begins with https://.' });

const events = z
  .array(z.enum(EVENT_TYPES, { error: `events contains an unknown type. The types are: ${EVENTS}.` }), {
    error: 'events must be a list of event types.',
  })
  .max(EVENTS_MAX, { error: `events has more than ${EVENTS_MAX} entries. The types are: ${EVENTS}.` })
  .min(1, { error: `events is empty. Send at least one type. The types are: ${EVENTS}.` })
  .meta({ description: 'The types of events to send.' });

const id = z.string().max(64).meta({ description: 'The endpoint’s identifier.' });

/** The fields of a body. A misspelt one would make or leave an endpoint other than its caller believes. */
const fieldsOf = <Fields extends z.ZodRawShape>(fields: Fields) => {
  const names = Object.keys(fields).filter((name) => name !== 'id'); // in the path
  return z.strictObject(fields, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? unknownName('field', issue.keys[0] ?? '', names).message
        : undefined,
  });
};

export const CreateWebhookRequest = fieldsOf({
  url,
  events: events.meta({ description: 'The types of events to send. Default: all.' }).optional(),
  token: tokenField(),
});
export const ListWebhooksRequest = z.object({});
export const WebhookRequest = z.object({ id });
export const ChangeWebhookRequest = fieldsOf({
  id,
  url: url.optional(),
  events: events.optional(),
  active: z
    .boolean({ error: 'active must be true or false, without quotes.' })
    .pipe(z.boolean()) // trpc-openapi turns on coercion in every bare boolean that it finds
    .meta({ description: '`false` switches it off, `true` on.' })
    .optional(),
  token: tokenField(),
});
export const ReplayWebhookRequest = fieldsOf({
  id,
  since: timeField('since').meta({ description: 'RFC 3339, with an offset.' }),
  token: tokenField(),
});

const endpointFields = {
  id,
  url: z.string().meta({ description: 'The address that receives the events.' }),
  events: z.array(z.enum(EVENT_TYPES)).meta({ description: 'The types of events that are sent.' }),
  active: z.boolean().meta({
    description: 'False after `active: false`, after the endpoint returns 410, and after 3 days of failures.',
  }),
};
const stateFields = {
  disabledReason: z.enum(['person', 'gone', 'failing']).nullable().meta({
    description:
      'Why it is not active: `person` after `active: false` or in the dashboard, `gone` after 410, `failing` after 3 days of failures. Otherwise null.',
  }),
  failingSince: z.string().nullable().meta({
    format: 'date-time',
    description:
      'When the first request since its last success failed, or null. Its events are sent again until they succeed.',
  }),
};
const Endpoint = z.object({ ...endpointFields, ...stateFields }).meta({ id: 'Webhook' });
const SecretEndpoint = z
  .object({ ...endpointFields, secret: z.string().meta({ description: '`whsec_…`; shown only once.' }) })
  .meta({ id: 'WebhookWithSecret' });

export const WebhookAnswer = successOf(Endpoint).meta({ id: 'WebhookAnswer' });
export const SecretWebhookAnswer = successOf(SecretEndpoint).meta({ id: 'WebhookWithSecretAnswer' });
export const WebhooksAnswer = successOf(
  z.object({ webhooks: z.array(Endpoint).meta({ description: 'The endpoints, oldest first.' }) }),
).meta({
  id: 'WebhooksAnswer',
});
export const DeletedWebhookAnswer = successOf(z.object({ id })).meta({
  id: 'DeletedWebhookAnswer',
});
export const TestedWebhookAnswer = successOf(
  z.object({
    eventId: z.string().meta({ description: 'The `webhook-id` of the request.' }),
  }),
).meta({ id: 'TestedWebhookAnswer' });
export const ReplayAnswer = successOf(
  z.object({ events: z.int().meta({ description: 'Number of events that are sent again.' }) }),
).meta({ id: 'ReplayAnswer' });

/** An endpoint as the API shows it with its secret. */
export const secretEndpointOf = (from: EndpointView & { secret: string }) =>
  pick(from, 'id', 'url', 'events', 'active', 'secret');

/** An endpoint as the API shows it. */
export const endpointOf = ({ failingSince, ...from }: EndpointView) => ({
  ...pick(from, 'id', 'url', 'events', 'active', 'disabledReason'),
  failingSince: failingSince?.toISOString() ?? null,
});
