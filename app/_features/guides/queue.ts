import { ACK_TIMEOUT_MS, ADMISSION_WINDOW_MS, ANSWER_WITHIN_MS } from '#server/core/pacing/waits.ts';
import { settings } from '#server/settings.ts';
import { block, type Guide } from './guide.ts';

export const queue: Guide = {
  slug: 'queue',
  name: 'Queue and scheduling',
  title: 'Why messages queue, and how to wait',
  lead: 'WhatsApp blocks numbers that send too fast. Wirebird therefore keeps an interval between the messages of a number, 8 seconds unless you change it.',
  words: 'later wait delay async schedule send at cancel dry run interval',
  text: ({ base }) => `
You choose between three ways to wait.

| You send | You get | Use it for |
|---|---|---|
| nothing | the outcome, within ${ANSWER_WITHIN_MS / 1000} seconds | single messages |
| \`Prefer: respond-async\` | 202 at once; the outcome by [event](/docs/guides/webhooks) or \`GET\` | batches |
| \`Prefer: wait=10\` | the outcome if it comes within 10 seconds, otherwise 202 | pages where a person waits |

## Sync requests

A request without \`Prefer\` is sync: your program waits for the outcome, at most ${ANSWER_WITHIN_MS / 1000} seconds. It is accepted only if its turn comes within ${ADMISSION_WINDOW_MS / 1000} seconds. The number’s page shows how many requests at once that is. Otherwise it gets 429 with \`X-Limit: queue\`, and nothing is sent. Retry after \`Retry-After\`. If WhatsApp does not confirm a message within ${ACK_TIMEOUT_MS / 1000} seconds, or before the ${ANSWER_WITHIN_MS / 1000} seconds are over, the response is 502 with \`X-Send-Outcome: unknown\`. Set your client’s timeout to at least 60 seconds.

## Async

${block(
  'sh',
  `curl ${base}/messages/text \\
  -H "Authorization: Bearer $WIREBIRD_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Prefer: respond-async" \\
  -H "X-Expires-In: 3600" \\
  -H "Idempotency-Key: order-1043" \\
  -H "X-Reference: order-1043" \\
  -d '{"to":"4915228817386","body":"Order 1043 is on its way."}'`,
)}

With the reference you find the message; only the key prevents a second one. The message waits at most 24 hours, or as many seconds as \`X-Expires-In\` says. Then it expires and is not sent. A repeat of its request is then a new attempt with the same time, so do not repeat what is no longer wanted. Up to ${settings.queueAsyncMax} async messages can wait on a number. While the number is not connected they stay in the queue, and new requests get 409, also scheduled ones. If the 409 has \`Retry-After\`, repeat the request after that time. Otherwise somebody must open the number in the dashboard.

Sync messages go first; every fourth slot belongs to async messages. No message overtakes an earlier one to the same recipient.

## Schedule

${block(
  'sh',
  `curl ${base}/messages/text \\
  -H "Authorization: Bearer $WIREBIRD_KEY" \\
  -H "Content-Type: application/json" \\
  -H "X-Send-At: $(date -u -d 'tomorrow 08:00' +%Y-%m-%dT%H:%M:%SZ)" \\
  -H "Idempotency-Key: order-1044" \\
  -H "X-Reference: order-1044" \\
  -d '{"to":"4915228817386","body":"Your table is reserved for 18:00."}'`,
)}

\`X-Send-At\` is a time with an offset, up to 30 days ahead. A retry needs the same one, so do not compute it again from the current time. The response is 202. \`X-Estimated-Send-At\` says when the message will probably leave: if a hundred messages are scheduled for 9:00, the last one leaves later. The file of a scheduled message is fetched now. Up to ${settings.queueScheduledMax.toLocaleString('en')} messages can be scheduled on a number.

## Find it again

${block('sh', `curl "${base}/messages?reference=order-1044" \\\n  -H "Authorization: Bearer $WIREBIRD_KEY"`)}

To cancel a message that is still in the queue or scheduled, call [\`POST /v1/messages/{id}/cancel\`](/docs#post-messages-id-cancel).

## Check without sending

\`X-Dry-Run: true\` runs every check, including the file, but sends and stores nothing:

${block(
  'sh',
  `curl ${base}/messages/text \\
  -H "Authorization: Bearer $WIREBIRD_KEY" \\
  -H "Content-Type: application/json" \\
  -H "X-Dry-Run: true" \\
  -d '{"to":"4915228817386","body":"Only a test."}'`,
)}

If the response has \`Idempotency-Replayed: true\`, the real request would send nothing either: it repeats the earlier message that \`X-Message-Id\` names.
`,
};
