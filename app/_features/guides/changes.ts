import type { Guide } from './guide.ts';

export const changes: Guide = {
  slug: 'changes',
  name: 'Changes',
  title: 'Changes to the API',
  lead: 'The API has one version, v1. What a program uses today keeps working.',
  words: 'version changelog deprecation stability',
  text: () => `
## What stays

Paths, the fields of requests and responses, their types, the meaning of a status and of an \`X-Error-Code\`, and the signature of events.

## What can be added at any time

New paths, headers, optional fields, event types, error codes and states. So ignore fields and events that your program does not know, and treat an unknown \`X-Error-Code\` by its status. Error texts such as \`error\` are for people and can change.

## November 2026

- [Webhooks](/docs/guides/webhooks): \`/v1/webhooks\` manages endpoints, with events for each message and for the number.
- \`X-Reference\`, or the field \`reference\`: your own ID for a message.
- [\`GET /v1/messages\`](/docs#get-messages) lists messages. [\`GET /v1/messages/{id}\`](/docs#get-messages-id) has \`reference\`, \`createdAt\`, \`sendAt\`, \`sentAt\`, \`deliveredAt\`, \`readAt\`, \`errorCode\` and \`events\`.
- \`X-Send-At\` schedules a message. [\`POST /v1/messages/{id}/cancel\`](/docs#post-messages-id-cancel) cancels one that is still in the queue or scheduled.
- \`X-Dry-Run\` checks a request without sending.
- [\`POST /v1/recipients/check\`](/docs#post-recipients-check) says who is on WhatsApp.
- [\`GET /v1/number\`](/docs#get-number) shows the number’s health, and which kinds of messages can be sent.
- \`Idempotency-Replayed: true\` on a response that is about the message of an earlier request.
- \`X-Error-Code\` on every error, and errors as \`application/problem+json\`.

## First version

Text, image, document, location, contact and audio messages, \`GET /v1/status\`, \`Idempotency-Key\` and \`Prefer: respond-async\`.
`,
};
