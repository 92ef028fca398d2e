import { styleText } from 'node:util';

/**
 * What `npm start` says to the person in front of it. Colours come only where the output is a terminal that
 * wants them (`NO_COLOR`).
 */
const began = performance.now();

const seconds = (): string => `${((performance.now() - began) / 1000).toFixed(1)} s`;

/** A line as it is. */
export function say(line: string): void {
  console.log(line);
}

/** A part that was started, found or made, with the time since the start. */
export function sayStep(part: string, what: string): void {
  const time = styleText('dim', seconds(), { stream: process.stdout });
  console.log(`  ${part.padEnd(11)} ${what.padEnd(52)} ${time}`);
}

/** The line that a newcomer looks for. */
export function sayHeading(line: string): void {
  console.log(styleText('bold', line, { stream: process.stdout }));
}

/** Why something went wrong, on stderr. */
export function sayProblem(text: string): void {
  console.error(styleText('red', text, { stream: process.stderr }));
}

/** A warning or an error of a running part, on stderr. */
export function sayFrom(part: string, level: string, text: string): void {
  const colour = level === 'warn' ? 'yellow' : level === 'error' || level === 'fatal' ? 'red' : 'dim';
  console.error(`  ${part.padEnd(11)} ${styleText(colour, `${level}: `, { stream: process.stderr })}${text}`);
}

/** Seconds since the start, such as `1.4 s`. */
export const elapsed = seconds;
