import { SAME_REQUEST } from '#server/core/outcomes.ts';
import { CLIENT_TIMEOUT } from '#server/rest/error-guide.ts';
import { block, type Guide } from './guide.ts';

export const idempotency: Guide = {
  slug: 'idempotency',
  name: 'Idempotency',
  title: 'Avoid sending a message twice',
  lead: 'A network can lose your request or our response. With an Idempotency-Key you can repeat a request and still send one message.',
  words: 'retry once duplicate same key timeout',
  text: ({ base }) => `
Use one key for each message, not for each order: an order can have several messages. Best is an ID that your system already has for this message, such as \`order-1042-ready\`. A key has 1 to 255 printable ASCII characters. Each WhatsApp number has its own keys.

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

| The first message | A repeat of the same request with the same key |
|---|---|
| is waiting or being sent, even if your client has disconnected | waits for it and gets its outcome |
| was sent, or may have been sent | gets the outcome that is known by now |
| was definitely not sent | starts a new attempt under the same key |

A key counts for 24 hours after the first message was accepted, and as long as that message waits. The key of a scheduled message counts until 24 hours after its time. After that, a repeat is a new message. If the first message was never accepted, for example because of a 401 or 429, a repeat is a new attempt.

The same request is one with the same ${SAME_REQUEST}. With the same key, a different request gets 400 with \`X-Error-Code: idempotency_key_reused\`, and nothing is sent for it. Its \`X-Message-Id\` and \`X-Message-Status\` are about the earlier message of that key. For a new message, use a new key. Keep values that change between retries, such as a timestamp, out of the body. If the earlier message was definitely not sent, you can use its key for a different request.

The message’s page shows up to 20 repeats of the same request in its timeline as **Repeated**. [\`GET /v1/messages/{id}\`](/docs#get-messages-id) shows them as the event \`repeated\`. Each response to a repeat of the same request, errors included, has the header \`Idempotency-Replayed: true\`, also without a key. A new attempt and a new message do not have it.

## The timeout of your client

${CLIENT_TIMEOUT} It waits for the message’s turn, because a number sends one message per interval, and for WhatsApp. A client that gives up earlier gets no outcome. Its message keeps its place in the queue and is sent when its turn comes, unless it fails or expires. A repeat that gets 200 says in \`X-Waited\` how many seconds the message waited for its turn. Or send [\`Prefer: respond-async\`](/docs/guides/queue#async): the response \`queued\` comes immediately, and an event or \`GET /v1/messages/{id}\` gives the outcome.

If every try times out, repeat the request with the same key, for up to 24 hours, with a pause of some seconds after each try. Do not use a new key: it sends a new message.

## Without a key

If your client disconnects before we respond, the same request gets the outcome of the first message and sends nothing new. This protection ends when a repeat has got the response, and at the latest 10 minutes after the first message was accepted. Until then, an identical message that you send on purpose sends nothing either.

After that, or if our response is lost on its way to you, the same request sends a second message. A program cannot tell a lost response from a disconnection, so always send a key.

## If the outcome is unknown

\`unknown\` means that the message was given to WhatsApp Web, and WhatsApp has not confirmed it. Wirebird does not send it again automatically. For 24 hours, a repeat with the same key is safe, but sends nothing while the outcome is unknown: it returns what is known. If WhatsApp does not confirm the message later, look at the chat on the phone of the number. Only if it is not there, send it with a new key, or press **Send again** on its page. Otherwise the recipient gets it twice.
`,
};
