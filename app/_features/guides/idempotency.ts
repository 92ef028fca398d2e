import { block, type Guide } from './guide.ts';

export const idempotency: Guide = {
  slug: 'idempotency',
  name: 'Idempotency',
  title: 'Send each message exactly once',
  lead: 'A network can lose your request or our response. With an Idempotency-Key you can repeat a request and still send one message.',
  words: 'retry twice duplicate same key',
  text: ({ base }) => `
Use an ID that your system already has for this message, such as \`order-1042-ready\`. It has 1 to 255 printable ASCII characters and belongs to the API key’s number.

${block(
  'sh',
  `for attempt in 1 2; do
  curl -sS ${base}/messages/text \\
    -H "Authorization: Bearer $WIREBIRD_KEY" \\
    -H "Content-Type: application/json" \\
    -H "Idempotency-Key: order-1042-ready" \\
    -d '{"to":"4915228817386","body":"Order 1042 is ready."}'
done`,
)}

Both responses have the same \`id\`. One message was sent.

## What a repeat gets

| The first request | A repeat with the same key and body |
|---|---|
| is still under way | joins it and gets its response |
| ended: sent, or may have been sent | gets the outcome that is known by now |
| ended: definitely not sent | is a new attempt, even if a proxy repeats your request. To try again, use the same key |
| was refused before acceptance, for example 401 or 429 | is a new attempt |
| is older than 24 hours | is a new message |

The same key with another body, endpoint, reference or \`X-Send-At\` gets 400 with \`idempotency_key_reused\`. \`X-Message-Id\` names the message that the key created. So keep values that change between retries, such as a timestamp, out of the body.

The message’s page shows each repeat that joined it, in the timeline. [\`GET /v1/messages/{id}\`](/docs#get-messages-id) shows it as the event \`repeated\`.

## Without a key

If your client times out or disconnects before our response, an identical request within 10 minutes joins the first message. After a response, an identical request is a new message. Wirebird cannot tell a repeat from a second order with the same text, so use a key.

## Never after unknown

Do not send an \`unknown\` message as a new request, with another key or without one: the first one may have arrived, and then the recipient gets two. Wirebird does not send it again automatically either. A repeat with the same key is safe, for 24 hours: it returns what is known.
`,
};
