/** Blocks of docs/operations.md that `npm run try:operations` does not run, by their first words. */
export const NOT_RUN: readonly (readonly [begins: string, why: string])[] = [
  ["alias compose='docker compose", 'needs Docker'],
  ['compose exec web1 node', 'needs Docker'],
  ['compose run --rm --user root', 'needs Docker'],
  ['git pull && compose build', 'needs Docker'],
  ['cp deploy/systemd/', 'needs several machines and their PostgreSQL'],
  ['cli account release', 'needs an account of the name that is shown'],
  ['cli account export', 'needs an account of the name that is shown'],
  ['#!/bin/sh\n# /etc/cron.daily/', 'is a file that cron runs'],
  ['grep -h \'"requestId"', 'has an id to be filled in'],
];

/** The commands of docs/operations.md for one machine. */
export interface OperationsPage {
  install: string;
  cli: string;
  caddyfile: string;
  backUpAndRestore: string;
  move: string;
  upgrade: string;
  goBack: string;
}

/** Throws if a block is missing, or is neither run nor listed in {@link NOT_RUN}. */
export function readPage(page: string): OperationsPage {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]+?)^```$/gm)].map(([, text = '']) => text);
  const left = new Set(blocks);
  const take = (begins: string): string => {
    const [found, ...more] = blocks.filter((text) => text.startsWith(begins));
    if (found === undefined || more.length > 0)
      throw new Error(`not one block of docs/operations.md begins with "${begins}"`);
    left.delete(found);
    return found;
  };
  const caddyfile = /^```\n(wirebird\.example\.com \{[\s\S]+?)^```$/m.exec(page)?.[1];
  if (caddyfile === undefined) throw new Error('docs/operations.md shows no Caddyfile');
  const found = {
    install: take('apt-get install'),
    cli: take('cli() {'),
    caddyfile,
    backUpAndRestore: take('install -d -m 0700 -o wirebird /var/backups'),
    move: take('# on the old machine\ncli move preview'),
    upgrade: take('cli backup /var/backups/wirebird/before-'),
    goBack: take('# first pause the programs that send\nsystemctl stop wirebird'),
  };
  for (const [begins] of NOT_RUN) take(begins);
  const [forgotten] = left;
  if (forgotten !== undefined) throw new Error(`neither run nor named as not run: ${forgotten}`);
  return found;
}
