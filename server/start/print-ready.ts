import { settings } from '../settings.ts';
import { elapsed, print, printHeading } from './print.ts';

/** Prints the product's address and the first step. */
export function printReady({ adminLink, port }: { adminLink: string | null; port: number }): void {
  print('');
  printHeading(`Ready after ${elapsed()}: ${publicAddress(port)}`);
  if (adminLink) {
    print(
      'First step: open this link and sign up. The person who uses it becomes the administrator. It works once.',
    );
    print(`  ${atPort(adminLink, port)}`);
  } else {
    print('Sign in there. The checklist leads you to the first message.');
  }
  print('Ctrl-C stops everything.');
  print('');
}

/** The address that people open. */
export const publicAddress = (port: number): string => atPort(settings.publicUrl, port);

/** With PORT=0 only the start knows the port. */
function atPort(address: string, port: number): string {
  const url = new URL(address);
  if (url.port !== '0') return address;
  url.port = String(port);
  return url.href.replace(/\/$/, '');
}
