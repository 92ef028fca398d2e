import { afterEach, expect, test, vi } from 'vitest';
import { say, sayFrom, sayHeading, sayProblem, sayStep } from './say.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('nothing that is said to the operator carries a control character of somebody else', () => {
  const printed: string[] = [];
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((text: string) => void printed.push(text));
  const evil = '\u001b[2J\u009b1m\u0007\u202eowned\r';
  say(evil);
  sayStep('web', evil);
  sayHeading(evil);
  sayProblem(evil);
  sayFrom('web', evil, `${evil}\n  web         error: a line that no part wrote`);
  expect(printed).toHaveLength(5);
  for (const line of printed) {
    // Colours of our own come only on a terminal.
    expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(line).toContain('\\u001b[2J\\u009b1m\\u0007\\u202eowned\\u000d');
  }
});
