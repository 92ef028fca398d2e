import { settings } from '#server/settings.ts';
import { block, type Guide } from './guide.ts';

const budget = settings.newContactsPerDay
  .map(({ fromDay, perDay }) => `| ${fromDay} | ${perDay} |`)
  .join('\n');

export const health: Guide = {
  slug: 'health',
  name: 'Keep a number healthy',
  title: 'Keep a number healthy',
  lead: 'WhatsApp restricts numbers that contact many people who do not know them.',
  words: 'ban blocked restricted spam warm up',
  text: ({ base }) => `
- Contact people who expect it. Let them write first where you can: a link or a QR code on your receipt is enough.
- Begin slowly with a new number, and leave **Protect this number** on. It limits how many new people the number contacts in 24 hours.
- Keep the interval at 8 seconds or more.
- Do not send the same text to everyone. Name the order or the person.
- Stop when people do not answer or block you.

## Protection

| Days since the phone was linked | New people in 24 hours |
|---|---|
${budget}

These figures are our estimates: WhatsApp publishes none. Beyond them a message to a new person gets 429 with \`X-Limit: new-contacts\`. With \`Prefer: respond-async\` it waits instead. Messages to people who know the number are not affected.

## Check the state

${block('sh', `curl ${base}/number \\\n  -H "Authorization: Bearer $WIREBIRD_KEY"`)}

\`health.level\` is \`good\`, \`watch\` or \`limited\`. The fields beside it give the reason and, where it is known, the end of a restriction.

## When WhatsApp restricts the number

Wait until the restriction ends. Do not send from another number instead: WhatsApp may restrict both. Messages to people who know the number are still sent, and messages that wait stay in the queue.

## Is a recipient on WhatsApp?

Sending checks this automatically. To check a list first, send up to 50 numbers in one request. Check only when you need to: WhatsApp may restrict a number that checks many.

${block(
  'sh',
  `curl ${base}/recipients/check \\
  -H "Authorization: Bearer $WIREBIRD_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"to":["4915228817386"]}'`,
)}
`,
};
