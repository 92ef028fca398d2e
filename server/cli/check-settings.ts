import { SECRET_NAMES, secret } from '#server/platform/secrets.ts';
import { misspeltSettings, settings } from '#server/settings.ts';
import { type Finding, fine, wrong } from './findings.ts';

/** An unreadable setting has already ended the command; this finds settings that do not fit together. */
export function checkSettings(given: typeof settings = settings): Finding {
  const problems: string[] = [];
  try {
    for (const name of SECRET_NAMES) if (!given.secretsGenerated) secret(name);
  } catch (error) {
    problems.push((error as Error).message);
  }
  if (given.production && !given.publicUrl.startsWith('https://'))
    problems.push('PUBLIC_URL should be the https:// address that people use.');
  const isLoopback = ['127.0.0.1', '::1', 'localhost'].includes(given.host);
  if (!isLoopback && !given.trustProxy)
    problems.push(
      'HOST is open to the network, but /v1 is answered over HTTPS only: set TRUST_PROXY=on behind a proxy.',
    );
  if (problems.length === 0) {
    const embedded = given.production && given.databaseUrl === undefined;
    const noted =
      '; the embedded database is for one machine: make backups ("cli backup") and keep them elsewhere';
    const found = (given.production ? 'production' : 'local') + (embedded ? noted : '');
    const misspelt = misspeltSettings();
    const finding = fine('settings', [found, ...misspelt].join('; '));
    return misspelt.length === 0 ? finding : { ...finding, says: found, warning: misspelt.join(' ') };
  }
  return wrong(
    'settings',
    `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} found`,
    problems.join(' '),
  );
}
