import { block, type Guide } from './guide.ts';

export const goingLive: Guide = {
  slug: 'going-live',
  name: 'Go live',
  title: 'Go live with a real number',
  lead: 'The API is the same as in the sandbox. Only the number and the key change.',
  words: 'production real phone link live',
  text: ({ base }) => `
1. The plan must be enabled. **Plan and usage** shows what the plan includes and how to pay. Without a plan, every request gets 402.
2. Choose the phone number. A number that has been in normal use for some months is safer than a new one. You keep using it on the phone.
3. Under **Numbers**, choose **Add a number** and **Your WhatsApp number**. Then choose **Show the QR code**. On the phone, open **Linked devices** and scan it. Wait until the number is connected.
4. Under **API**, create a key for this number. It begins with \`wsk_live_\`.
5. Replace the key in your program. Do not change anything else.
6. Check whether the number is connected:

${block('sh', `curl ${base}/status \\\n  -H "Authorization: Bearer $WIREBIRD_KEY"`)}

7. Send one message to a phone of your own.

## Before your customers depend on it

- Your client waits at least 60 seconds for a response, or uses [\`Prefer: respond-async\`](/docs/guides/queue#async).
- Each message has an [\`Idempotency-Key\`](/docs/guides/idempotency).
- Your program never sends an \`unknown\` message again as a new request.
- You receive [events](/docs/guides/webhooks), or check the outcome of \`queued\` and \`unknown\` messages.
- Somebody reads the alerts. Under **Your account** → **Alert emails**, each member chooses which alerts they get by email.
- The phone is in use. WhatsApp logs out linked devices when the phone is not used for about 14 days. Open WhatsApp on the phone from time to time.
- [The number stays healthy](/docs/guides/health).
`,
};
