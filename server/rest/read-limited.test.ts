import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readLimited } from './read-limited.ts';

test('a body whose sender has already left is refused at once', async () => {
  const body = new Readable({ read() {} });
  body.push('x');
  body.destroy();
  await new Promise((resolve) => body.once('close', resolve));
  const outcome = readLimited(body, { bytesMax: 1_000, withinMs: 60_000, address: '192.0.2.1' });
  await expect(outcome).rejects.toMatchObject({ code: 'invalid_parameters' });
});
