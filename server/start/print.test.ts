import { afterEach, expect, test, vi } from 'vitest';
import { print, printFrom, printHeading, printProblem, printStep } from './print.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('no control character from outside reaches the terminal', () => {
  const printed: string[] = [];
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((text: string) => void printed.push(text));
  const evil = '\u001b[2J\u009b1m\u0007\u202eowned\r';
  print(evil);
  printStep('web', evil);
  printHeading(evil);
  printProblem(evil);
  printFrom('web', evil, `${evil}\n  web         error: a line that no process wrote`);
  expect(printed).toHaveLength(5);
  for (const line of printed) {
    // Colours of our own come only on a terminal.
    expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(line).toContain('\\u001b[2J\\u009b1m\\u0007\\u202eowned\\u000d');
  }
});
