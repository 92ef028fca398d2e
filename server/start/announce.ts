import { settings } from '../settings.ts';
import { elapsed, say, sayHeading } from './say.ts';

/** Tells where the product is and what to do first. */
export function announce({ adminLink, port }: { adminLink: string | null; port: number }): void {
  say('');
  sayHeading(`Ready after ${elapsed()}: ${publicAddress(port)}`);
  if (adminLink) {
    say(
      'First step: open this link and sign up. The person who uses it becomes the administrator. It works once.',
    );
    say(`  ${atPort(adminLink, port)}`);
  } else {
    say('Sign in there. The checklist leads you to the first message.');
  }
  say('Ctrl-C stops everything.');
  say('');
}

/** The address that people open. */
export const publicAddress = (port: number): string => atPort(settings.publicUrl, port);

/** With PORT=0 only the start knows which port it became. */
function atPort(address: string, port: number): string {
  const url = new URL(address);
  if (url.port !== '0') return address;
  url.port = String(port);
  return url.href.replace(/\/$/, '');
}
