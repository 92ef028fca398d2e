import { expect, test } from 'vitest';
import { currentTurn, inNoTurn, pageTurn, runInTurn, signedInAs } from './page-turn.ts';

test('a request takes the turn of its network until its cookie is found valid, then its account’s, as later ones do', async () => {
  const first = pageTurn('a cookie', '192.0.2.1');
  expect(first).toMatchObject({ of: '192.0.2.1', signedIn: false });
  await runInTurn(first, async () => {
    expect(currentTurn()).toBe('192.0.2.1');
    await Promise.resolve();
    signedInAs('acc_1');
    expect(currentTurn()).toBe('acc_1');
  });
  expect(pageTurn('a cookie', '198.51.100.1')).toMatchObject({ of: 'acc_1', signedIn: true });
  expect(pageTurn('another cookie', '192.0.2.1')).toMatchObject({ of: '192.0.2.1', signedIn: false });
});

test('what is no page has no turn, nor has what a page begins for everybody', () => {
  expect(currentTurn()).toBe('');
  signedInAs('acc_1');
  runInTurn(pageTurn(null, '192.0.2.1'), () => {
    signedInAs('acc_2');
    expect(inNoTurn(currentTurn)).toBe('');
  });
  expect(pageTurn(null, '192.0.2.1').signedIn).toBe(false);
});
