import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { childEnvironment } from '#server/settings.ts';

/** The stderr of a process that runs this log statement. */
function logged(statement: string): string {
  const program = `const { log } = await import(${JSON.stringify(new URL('./log.ts', import.meta.url).href)}); ${statement}`;
  return execFileSync(
    '/bin/sh',
    ['-c', 'exec "$0" --input-type=module -e "$1" 2>&1', process.execPath, program],
    {
      env: childEnvironment({ LOG_LEVEL: 'info' }),
      encoding: 'utf8',
    },
  );
}

test('a field, a message or an error of any length and any character makes one short line', () => {
  const long = "'\\u001b[2J\\u009b\\u202e' + 'x'.repeat(8_000_000)";
  const lines = logged(
    `const long = ${long}; log.info({ path: long, nested: { value: long } }, long); log.warn({ err: new Error(long, { cause: new Error(long) }) }, 'm');`,
  )
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line.length).toBeLessThan(10_000);
    expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(JSON.parse(line)).toMatchObject({ level: expect.stringMatching(/info|warn/) });
    expect(line).toContain('(8000006 characters)');
  }
});
