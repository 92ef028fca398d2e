import { sample } from '#app/_features/keys/samples.ts';
import { exampleRequest, PLACEHOLDER_FILES } from '#server/core/examples.ts';
import { ERROR_GUIDE } from '#server/rest/error-guide.ts';
import { block, type Guide } from './guide.ts';

const SENT = { yes: 'sent', waits: 'waiting', no: 'not sent', perhaps: '**may have been sent**' } as const;

const rows = ERROR_GUIDE.map(
  ({ status, codes, meaning, sent, next }) =>
    `| ${status === 'none' ? 'no response' : status} | ${codes.map((code) => `\`${code}\``).join(' ') || '–'} | ${meaning} | ${SENT[sent]} | ${next} |`,
).join('\n');

export const errors: Guide = {
  slug: 'errors',
  name: 'Errors and retries',
  title: 'Errors and retries',
  lead: 'Three rules are enough for a program that never sends a message twice, and knows when a person has to look.',
  words: 'retry repeat again backoff 500 502 failed',
  text: ({ base }) => `
1. Send one \`Idempotency-Key\` for each message, and repeat a request with the same key and the same body. If nothing was sent, you may change the body and keep the key.
2. Repeat when there is a \`Retry-After\` header, after that many seconds, or when no response came.
3. Do not repeat anything else automatically: the table says what to do. A 502 from Wirebird has no \`Retry-After\`. For 24 hours, repeating it with the same key never sends twice. With \`X-Send-Outcome: not_sent\` nothing was sent, and a repeat makes a new message with its own ID. But it can fail again, because many of the causes remain until a person acts: do not repeat it in a loop. With \`X-Send-Outcome: unknown\` the message may have arrived: call [\`GET /v1/messages/{id}\`](/docs#get-messages-id) or wait for the [event](/docs/guides/webhooks).

\`X-Send-Outcome: not_sent\` counts for every request with the same key. An error of 400 to 429 without it says only that this request sent nothing: the message of an earlier request with the same key was sent, may still be sent, or is not known. It is not known after a wrong API key, and often after a 429 of the rate limit if several web processes run, because another one may still accept an earlier request. Repeat the request with the same \`Idempotency-Key\`.

In programs, use \`X-Error-Code\`, never the error text: it may change. Log it together with \`X-Message-Id\`: a 502 alone does not say whether the message was sent.

## A loop that does this

${block('sh', sample('curl', { base, kind: 'text', request: exampleRequest('text', PLACEHOLDER_FILES) }))}

**API** in the dashboard shows the same loop in Node, Python and PHP.

## Errors as problem details

With \`Accept: application/problem+json\` an error follows RFC 9457. \`code\` is the same as \`X-Error-Code\`:

${block(
  'sh',
  `curl -s ${base}/messages/msg_unknown \\\n  -H "Authorization: Bearer $WIREBIRD_KEY" \\\n  -H "Accept: application/problem+json"`,
)}

## After each response

| Response | X-Error-Code | Meaning | The message | Next step |
|---|---|---|---|---|
${rows}
`,
};
