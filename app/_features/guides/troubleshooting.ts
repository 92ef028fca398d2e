import { block, type Guide } from './guide.ts';

export const troubleshooting: Guide = {
  slug: 'troubleshooting',
  name: 'Troubleshooting',
  title: 'Troubleshooting by symptom',
  lead: 'Every response has an X-Request-Id. Enter it under Requests in the dashboard: the page shows the request, the response and what to do.',
  words: 'help problem not working 401 402 409 timeout',
  text: ({ base }) => `
${block('sh', `curl -si ${base}/status -H "Authorization: Bearer $WIREBIRD_KEY" | grep -i x-request-id`)}

## 401, although the key is right

The key is missing from the request, was revoked, or has expired. Send it as \`Authorization: Bearer <key>\`. A key in the URL is never read. In a GET it must be in a header.

## 402

The plan is not enabled or has ended, the plan does not include the number, or the account is suspended. The error message says which, and what helps. Retrying does not. Messages that waited when a plan ended were cancelled, with the code \`plan_ended\`.

## 409

The number is not connected. With \`Retry-After\` it reconnects automatically. Without it, open the number in the dashboard: it must be linked again, is on hold, or was suspended by the administrator. \`hung_up\` appears only under **Requests**: your client closed the connection before the response. This did not cancel its message: open the request to see the message’s state now.

## 429 although I send little

\`X-Limit\` names the limit. With \`queue\`, other requests of the same number came first: use [\`Prefer: respond-async\`](/docs/guides/queue#async).

## 502 unknown

WhatsApp did not confirm the message in time. It may have arrived. For 24 hours, a repeat with the same \`Idempotency-Key\` is safe, but sends nothing while the outcome is unknown: it returns what is known. [\`GET /v1/messages/{id}\`](/docs#get-messages-id) shows the outcome as soon as it is known. If it stays \`unknown\`, look at the chat on the phone that sends for this number. If the phone is online and the message is not there after a few minutes, send it with a new \`Idempotency-Key\`, or press **Send again** on the message’s page.

## My client gives up before the response

A response takes up to 55 seconds, because each message waits for its number’s turn. A client that gives up does not cancel its message. Under **Requests**, the request says whether the message was still waiting, and what became of it. Set the client’s timeout to 60 seconds or more, or send \`Prefer: respond-async\`. If your client has already given up, repeat the request with the same \`Idempotency-Key\`: if the first message is waiting, was sent or may have been sent, the response is about that one. Without an \`Idempotency-Key\`, that holds for 10 minutes after the first message was accepted, and only if your client disconnected before we responded.

## A scheduled message or a dry run is sent at once

\`X-Send-At\`, \`X-Dry-Run\`, \`X-Expires-In\`, \`Prefer\` and \`Idempotency-Key\` are headers. In the body, fields with such names are ignored, as all fields that the API does not know. Under **Requests**, the request shows which fields its body had.

## The message is \`sent\` but not \`delivered\`

WhatsApp’s server has it, and the recipient’s phone is off or offline. \`delivered\` follows when it is online again. One grey tick in the chat means the same.

## The image is refused

Open the link in a private window: it must show the file itself, without signing in. [Files](/docs/guides/media) lists what is allowed. A preview page of a cloud drive is not an image.

## I get no events

1. Does the endpoint’s page under **Webhooks** show requests? Your server’s response is there.
2. Is the endpoint on? It is switched off after a 410 response and after 3 days of failures.
3. Does your server respond within 10 seconds with a status from 200 to 299? Redirects are not followed.
4. After you repair it, **replay** the events that it missed.

## The number is logged out

Somebody removed Wirebird on the phone under **Linked devices**, or WhatsApp logged it out. WhatsApp logs out linked devices when the phone is not used for about 14 days. Open WhatsApp on the phone from time to time. Link the same phone again. Async messages that waited are kept, and you decide whether they are sent.
`,
};
