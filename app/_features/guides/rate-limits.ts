import { sendsAtOnce } from '#server/core/limits.ts';
import { settings } from '#server/settings.ts';
import { block, type Guide } from './guide.ts';

export const rateLimits: Guide = {
  slug: 'rate-limits',
  name: 'Rate limits',
  title: 'Rate limits',
  lead: 'A request over a limit gets 429. X-Limit names the limit, Retry-After says when to retry. The request sent nothing.',
  words: '429 throttle quota too many',
  text: ({ base }) => `
| X-Limit | What it limits | Limit |
|---|---|---|
| \`rate\` | requests of the account, over all of its keys | ${settings.rateSendsPerMinute} sends and ${settings.rateReadsPerMinute} reads a minute, for each number that the plan includes |
| \`queue\` | messages that wait on a number | sync: those whose turn comes within 40 seconds; async: ${settings.queueAsyncMax}, and ${settings.queueNewContactsMax} to new people; scheduled: ${settings.queueScheduledMax.toLocaleString('en')} |
| \`deadline\` | how long an accepted message waits for its turn | sync: 40 seconds; async: 24 hours; less with \`X-Expires-In\` |
| \`media\` | files of the account that wait to be sent | its share of the disk |
| \`new-contacts\` | people who are new to the number | set by WhatsApp, or by the number’s protection |
| \`checks\` | phones that \`POST /v1/recipients/check\` looks up | ${settings.recipientChecksPerDay} in 24 hours |

The rate refills steadily. After a pause, up to ${sendsAtOnce(settings.rateSendsPerMinute)} sends and ${settings.rateReadsPerMinute} reads for each number pass at once.

Wrong keys are counted for each address: after ${settings.rateBadKeysPerMinute} a minute it gets 429 instead of 401. Requests with a valid key from the same address are not affected.

## See what is left

${block('sh', `curl -si ${base}/status -H "Authorization: Bearer $WIREBIRD_KEY" | grep -i ratelimit`)}

\`RateLimit\` has \`r\`, the requests that are left, and \`t\`, the seconds until all are available again. Slow down before \`r\` is 0.

## The interval

A number sends one message in each interval, 8 seconds unless you change it under **Numbers**. At 8 seconds that is 450 messages an hour. More numbers send more; a shorter interval raises the risk that WhatsApp blocks the number.
`,
};
