import { RECEIVERS } from '#app/_features/webhooks/receiver-samples.ts';
import { ATTEMPTS_IN_ORDER, FAILING_DAYS_MAX, FAILURES_IN_A_ROW } from '#server/core/webhooks/backoff.ts';
import { EVENT_EXAMPLE, EVENT_MEANINGS } from '#server/rest/reference/events.ts';
import { settings } from '#server/settings.ts';
import { block, type Guide } from './guide.ts';

const meanings = Object.entries(EVENT_MEANINGS)
  .map(([type, meaning]) => `| \`${type}\` | ${meaning} |`)
  .join('\n');

const receivers = Object.entries({ js: RECEIVERS.Node, python: RECEIVERS.Python, php: RECEIVERS.PHP })
  .map(([language, code]) => block(language, code))
  .join('\n\n');

/** Finds the endpoint of a command. */
const firstEndpoint = (base: string) =>
  `WEBHOOK_ID=$(curl -s ${base}/webhooks -H "Authorization: Bearer $WIREBIRD_KEY" | grep -o 'whe_[a-z0-9]*' | head -1)`;

export const webhooks: Guide = {
  slug: 'webhooks',
  name: 'Webhooks',
  title: 'Get the outcome of each message',
  lead: 'Wirebird posts an event to your server when a message is sent, delivered, read or failed, and when the state of a number changes.',
  words: 'callback events delivered read signature replay',
  text: ({ base }) => `
## Create an endpoint

Create one under **Webhooks** in the dashboard. Or use a number’s key, to get only the events of that number:

${block(
  'sh',
  `curl ${base}/webhooks \\
  -H "Authorization: Bearer $WIREBIRD_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"url":"https://example.com/wirebird","events":["message.delivered","message.failed"]}'`,
)}

Only this response contains the signing secret (\`whsec_…\`). The URL must be a public address. In production it must begin with \`https://\`. To see events of a sandbox number without a server, choose **Inspect events**. Events are sent to your server while the account has a plan.

To try your server, choose **Send test event** in the dashboard, or use the API. This tests the number’s first endpoint:

${block('sh', `${firstEndpoint(base)}\ncurl -X POST ${base}/webhooks/$WEBHOOK_ID/test \\\n  -H "Authorization: Bearer $WIREBIRD_KEY"`)}

## Events

| Type | When |
|---|---|
${meanings}
| \`webhook.test\` | You sent a test event to this endpoint. Its \`data\` has only \`id\`, of the endpoint, and \`sequence\`. |

${block('json', JSON.stringify(EVENT_EXAMPLE, null, 2))}

An event never has the text of a message. \`sequence\` grows with each event of the same \`data.id\`: a message, a number or an endpoint.

## Receive them

Requests follow [Standard Webhooks](https://www.standardwebhooks.com), which has libraries for most languages. These servers need none:

${receivers}

1. Verify the signature of the raw body before you parse it. Refuse timestamps that are more than 5 minutes off.
2. Store the event, then respond with a status from 200 to 299 within 10 seconds. Do slow work later: an endpoint that takes longer than a second gets its events later than others.
3. An event can arrive twice, with the same \`webhook-id\`, also at two servers at the same time. Ignore the second one.
4. Ignore an event whose \`sequence\` is not higher than the last one that you stored for its \`data.id\`: a later one overtook it.

If several servers receive events, they need one database. It can decide both in one transaction. If the first statement inserts no row, you have the event already. If the second changes no row, you have a later state already:

${block(
  'sql',
  `insert into webhook_events (id, body) values (:webhook_id, :body) on conflict do nothing;

insert into states (id, sequence, status) values (:data_id, :sequence, :status)
on conflict (id) do update set sequence = excluded.sequence, status = excluded.status
where states.sequence < excluded.sequence;`,
)}

Let your program act on the stored state, not on the type of one event. A message that is \`delivered\` or \`read\` was also sent, even if you ignored its \`message.sent\`.

## Delivery

- No event is lost in a crash: each is stored together with its change. Each event is delivered at least once.
- The events of a message arrive in order. After ${ATTEMPTS_IN_ORDER} failures of one event, later ones no longer wait for it.
- A failed request is repeated after 5 seconds, then after twice as long each time, up to 12 hours. After ${FAILURES_IN_A_ROW} failures in a row an endpoint gets one request at a time, until one succeeds. A replay or a test event sends the next request at once. If it returns 429 or 503 with \`Retry-After\`, it gets no request for that time, at most 12 hours.
- An endpoint that returns 410, or fails for ${FAILING_DAYS_MAX} days, is switched off, with an alert and an email. \`GET /v1/webhooks\` shows why (\`disabledReason\`), and whether an endpoint fails now (\`failingSince\`). Repair it, switch it on and replay: events are kept for ${settings.webhookRetentionDays} days, or for as long as your account keeps other message data if that is shorter.

## Recover after a loss

If your server lost data, replay the events since a time. They arrive again with the same \`webhook-id\`, those of a message in order:

${block(
  'sh',
  `${firstEndpoint(base)}
curl ${base}/webhooks/$WEBHOOK_ID/replay \\
  -H "Authorization: Bearer $WIREBIRD_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"since":"2026-03-01T08:00:00Z"}'`,
)}

- An event exists only if an endpoint subscribed to its type when it happened, even one that was switched off. Other endpoints can get it too, by a replay.
- \`GET /v1/messages?since=…\` lists every message of the number with its state and times, whether it had events or not. \`GET /v1/number\` has the state of the number.
- A message goes only forward: \`unknown\`, \`sent\`, \`delivered\`, \`read\`. \`failed\`, \`expired\` and \`cancelled\` are final. So if an event and the list differ, keep the later state.
`,
};
