import { curlCommand } from '#app/_features/keys/curl-command.ts';
import { exampleRequest, PLACEHOLDER_FILES } from '#server/core/examples.ts';
import { block, type Guide } from './guide.ts';

export const firstMessage: Guide = {
  slug: 'first-message',
  name: 'First message',
  title: 'Send your first message',
  lead: 'It takes less than a minute in the dashboard. The sandbox is a simulated WhatsApp: nothing reaches a real phone.',
  words: 'begin start curl tutorial sandbox hello',
  text: ({ base }) => `
1. In the dashboard, choose **Send a first message** on the overview, then **Create all three**. This adds a sandbox number, links its sandbox phone and creates a key. To do this step by step, use **Numbers** → **Add a number** → **Show the QR code**, then scan it with the sandbox phone. Then **API** → **Create key**.
2. The key is shown once. Store it in your environment:

${block('bash', 'export WIREBIRD_KEY=wsk_test_…')}

3. Send a message:

${block(
  'sh',
  curlCommand(
    { base, kind: 'text', request: exampleRequest('text', PLACEHOLDER_FILES) },
    { headers: ['Idempotency-Key: first-message'] },
  ),
)}

4. The response has status 200 as soon as WhatsApp’s server has the message:

${block(
  'json',
  '{"success":true,"data":{"id":"msg_…","to":"4915228817386@c.us","type":"text","status":"sent"}}',
)}

5. Open **Sandbox phone** in the dashboard: the message is there.

Run the command a second time. The response is the same, and the phone still has one message: the \`Idempotency-Key\` makes the retry safe.

## Check whether the number is connected

${block('sh', `curl ${base}/status \\\n  -H "Authorization: Bearer $WIREBIRD_KEY"`)}

\`connected\` is \`true\` while the number is connected to WhatsApp. The response is at most 15 seconds old.

## Next

- [Errors and retries](/docs/guides/errors): what to do after each response.
- [Go live with a real number](/docs/guides/going-live).
- [API reference](/docs): every endpoint, with samples in four languages.
`,
};
