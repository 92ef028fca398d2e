const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'; // Crockford's base 32: sorts as its numbers do

const PREFIXES = {
  user: 'usr',
  account: 'acc',
  number: 'num',
  key: 'key',
  message: 'msg',
  payment: 'pay',
  planRequest: 'ask',
  worker: 'wrk',
  volume: 'vol',
  web: 'web',
  rule: 'rul',
  signIn: 'sgn',
  alert: 'alt',
  invitation: 'inv',
  generation: 'gen',
  webhookEndpoint: 'whe',
  event: 'evt',
} as const;

/**
 * A new public identifier: a prefix, 10 characters of time (milliseconds, so ids sort by age) and 16 random
 * ones (80 bits), for example `msg_01k9…`. It is known before its row exists.
 */
export function newId(kind: keyof typeof PREFIXES, nowMs: number = Date.now()): string {
  let time = '';
  for (let rest = nowMs, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time;
  let random = '';
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) random += ALPHABET[byte & 31];
  return `${PREFIXES[kind]}_${time}${random}`;
}
