import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { setUpLab } from '#server/testing/media/lab.ts';
import { createMediaFetcher } from './media-fetcher.ts';
import { openSpool } from './spool.ts';

const lab = setUpLab();

async function fetcher() {
  const spool = await openSpool(lab.directory);
  const rules = { allowHosts: [], ports: [80], network: lab.internet.network };
  return { spool, fetch: createMediaFetcher({ spool, ...rules }) };
}

describe('the media fetcher', () => {
  test('puts a message’s file into the spool, replacing the rest of an earlier attempt', async () => {
    const { spool, fetch } = await fetcher();
    let body = 'first and longer';
    await lab.serve((_request, response) => response.end(body));
    const job = {
      accountId: 'acc_1',
      messageId: 'msg_1',
      url: 'http://public.test/',
      kind: 'document',
    } as const;
    await fetch(job);
    body = 'second';
    const media = await fetch(job);
    expect(media).toMatchObject({ bytes: 6, spoolFile: spool.pathFor('msg_1') });
    expect(await readFile(media.spoolFile, 'utf8')).toBe('second');
    expect(spool.usedBytes()).toBe(6);
  });

  test('fetches two files at once for an account, and the next when one has arrived', async () => {
    const { fetch } = await fetcher();
    const job = { accountId: 'acc_1', kind: 'document' } as const;
    const answers: (() => void)[] = [];
    await lab.serve((request, response) => {
      if (request.url === '/now') response.end('x');
      else answers.push(() => response.end('x'));
    });
    const held = ['msg_1', 'msg_2', 'msg_3', 'msg_4'].map((messageId) =>
      fetch({ ...job, messageId, url: 'http://public.test/held' }),
    );
    // When later requests of other accounts are done, every request that could start has started.
    const others = async () => {
      for (const accountId of ['acc_2', 'acc_3', 'acc_4']) {
        await fetch({ ...job, accountId, messageId: `msg_${accountId}`, url: 'http://public.test/now' });
      }
    };
    await others();
    expect(answers).toHaveLength(2);
    answers.shift()?.();
    await Promise.race(held);
    await others();
    expect(answers).toHaveLength(2);
    while (answers.length > 0) {
      answers.shift()?.();
      await others();
    }
    expect(await Promise.all(held)).toHaveLength(4);
  });

  test('fetches for one account while 50 silent hosts delay 25 others', async () => {
    const { fetch } = await fetcher();
    const controller = new AbortController();
    const slow = [...Array(50).keys()].map((n) => {
      const [host, address] = [`slow${n}.test`, `203.208.61.${n}`];
      lab.internet.name(host, [address]);
      lab.internet.route(address, 80, 'is silent');
      return fetch({
        accountId: `acc_${n % 25}`,
        messageId: `msg_slow${n}`,
        url: `http://${host}/`,
        kind: 'document',
        signal: controller.signal,
      });
    });
    await lab.serve((_request, response) => response.end('quick'));
    const media = await fetch({
      accountId: 'acc_other',
      messageId: 'msg_1',
      url: 'http://public.test/',
      kind: 'document',
    });
    expect(media.bytes).toBe(5);
    controller.abort(new Error('enough'));
    for (const outcome of await Promise.allSettled(slow)) expect(outcome.status).toBe('rejected');
  });
});
