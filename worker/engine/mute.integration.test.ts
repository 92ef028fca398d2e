import { expect, test } from 'vitest';
import { temporaryEngine } from '#worker/testing/engine.ts';
import { text } from '#worker/testing/engine-message.ts';
import type { GatedPage } from './page/sending.ts';

test('only a message’s acknowledgements leave the page, each once and without its content', async () => {
  // Late enough that each acknowledgement comes after the page has recorded the end of the send.
  await using engine = await temporaryEngine({ deliveredMs: 2000, readMs: 2500 });
  const { session, events, client } = await engine.link('num_mute', '999000000001');
  const emitted: string[] = [];
  const emit = client().emit.bind(client());
  client().emit = (event, ...args) => {
    emitted.push(String(event));
    return emit(event, ...args);
  };
  const page = client().pupPage;
  await page?.evaluate(() => {
    const site = window as unknown as GatedPage & { said: unknown[] };
    const report = site.wirebirdReport;
    site.said = [];
    site.wirebirdReport = (id, what) => {
      site.said.push([id, what]);
      return report(id, what);
    };
  });
  const message = text('491700000002@c.us', 'nobody else hears this');
  await session.lookUp('491700000002');
  await session.send(message);
  await expect.poll(() => events.acks.get(message.waMessageId), { timeout: 20_000 }).toEqual([1, 2, 3]);
  expect(emitted).toEqual([]);
  const said = await page?.evaluate(() => (window as unknown as { said: unknown[] }).said);
  const steps = [
    { step: 'job', error: null },
    { step: 'over', ack: 1 },
    ...[2, 3].map((ack) => ({ step: 'ack', ack })),
  ];
  expect(said).toEqual(steps.map((step) => [message.waMessageId, step]));
});
