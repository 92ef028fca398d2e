import { block, type Guide } from './guide.ts';

export const goingLive: Guide = {
  slug: 'going-live',
  name: 'Go live',
  title: 'Go live with a real number',
  lead: 'The API is the same as in the sandbox. Only the number and the key change.',
  words: 'production real phone link live',
  text: ({ base }) => `
1. The plan must be enabled. **Plan** shows what it includes and how to pay. Without a plan, every request gets a 402.
2. Choose the phone number. A number that has been in use for some weeks is safer than a new one. It stays usable on the phone.
3. Under **Numbers**, add the number on WhatsApp and choose **Link phone**. On the phone, open **Linked devices** and scan the code. Loading the chats takes less than a minute.
4. Under **API**, create a key for this number. It begins with \`wsk_live_\`.
5. Replace the key in your program. Do not change anything else.
6. Ask whether the number is connected:

${block('sh', `curl ${base}/status \\\n  -H "Authorization: Bearer $WIREBIRD_KEY"`)}

7. Send one message to a phone of your own.

## Before your customers depend on it

- Your client waits at least 60 seconds for an answer, or uses [\`Prefer: respond-async\`](/docs/guides/queue#async).
- Each message has an [\`Idempotency-Key\`](/docs/guides/idempotency).
- Your program never sends an \`unknown\` message again as a new request.
- You receive [events](/docs/guides/webhooks), or ask for the outcome of what was \`queued\` or \`unknown\`.
- Somebody reads the alerts: under **Alerts** you choose who gets a mail when a number disconnects.
- The phone keeps its connection to the internet. WhatsApp unlinks devices of a phone that was offline for about two weeks.
- [The number stays healthy](/docs/guides/health).
`,
};
