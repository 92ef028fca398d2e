import { block, type Guide } from './guide.ts';

export const idempotency: Guide = {
  slug: 'idempotency',
  name: 'Idempotency',
  title: 'Send each message exactly once',
  lead: 'A network can lose your request or our response. With an Idempotency-Key you can repeat a request and still send one message.',
  words: 'retry twice duplicate same key',
  text: ({ base }) => `
Use an ID that your system already has for this message, such as \`order-1042-ready\`. An Idempotency-Key has 1 to 255 printable ASCII characters, and counts for one WhatsApp number.

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

Both responses have the same \`id\`, and the second one has the header \`Idempotency-Replayed: true\`. One message was sent.

## What a repeat gets

| The first request | A repeat with the same key and body |
|---|---|
| is still under way | joins it and gets its response |
| ended: sent, or may have been sent | gets the outcome that is known by now |
| ended: definitely not sent | starts a new attempt under the same key, even if a proxy repeated the request for you |
| was refused before acceptance, for example 401 or 429 | is a new attempt |
| was accepted more than 24 hours ago, and has ended | is a new message |

The same key with another body, endpoint, reference or \`X-Send-At\` gets 400 with \`idempotency_key_reused\`, so keep values that change between retries, such as a timestamp, out of the body. \`X-Message-Id\` names the message that the key created.

The message’s page shows each repeat that joined it, in the timeline. [\`GET /v1/messages/{id}\`](/docs#get-messages-id) shows it as the event \`repeated\`. Each response to such a repeat, errors included, has the header \`Idempotency-Replayed: true\`. A new attempt and a new message do not have it.

## Without a key

If your client disconnects before we respond, the same request within 10 minutes joins the first message. But if our response is lost on its way to you, the same request sends a second message: only a key prevents that.

## If the outcome is unknown

\`unknown\` means that the message was handed to WhatsApp and not confirmed. Do not send it as a new request, with another key or without one: the first one may have arrived, and then the recipient gets two. Wirebird does not send it again automatically either. A repeat with the same key is safe, for 24 hours: it returns what is known.
`,
};
