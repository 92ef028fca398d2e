import path from 'node:path';

/**
 * Rewrites the queries of all domains while they are loaded for the tenancy tests. Each scope (`account_id = …`
 * and similar) can then be removed separately, and every call is recorded. With nothing removed, the product's own
 * SQL runs, with `or false` beside each scope.
 */

/** Queries of workers, of the operator and of the process itself: they cover all accounts on purpose. */
const ABOVE_ACCOUNTS: Readonly<Record<string, string>> = {
  'alerts/alert-ends': 'finds which reported states are over, over all accounts',
  'alerts/alert-mails': 'mails what was reported, over all accounts',
  'alerts/found': 'a part of statements, about the account of an alert',
  'messages/dispatch': 'the worker that holds a number’s lease, by its fence',
  'accounts/erased-accounts': 'the job that deletes what is left of deleted accounts',
  'numbers/leases': 'workers, by their fence',
  'operations/links': 'the operator’s command line',
  'operations/lost': 'what a restore replaced, of all accounts',
  'numbers/look-ups': 'the worker that holds a number’s lease',
  'messages/media': 'the worker that holds a number’s lease',
  'operations/message-counts': 'keeps the counts of all accounts',
  'numbers/moves': 'the worker that hands a number over, by its fence',
  'operations/queue-health': 'figures of the installation, for its administrator',
  'accounts/number-accounts': 'routes changes to the account of a number',
  'numbers/number-status': 'the state of the number that was just found for a caller',
  'operations/operator': 'the operator’s command line',
  'alerts/plan-loss': 'a part of statements, about the account of an alert',
  'operations/processes': 'web and worker processes',
  'numbers/profiles': 'the worker that holds a number’s lease, by its fence',
  'alerts/refused-requests': 'a part of statements, about the account of an alert',
  'operations/retention': 'the job that erases what every account kept for long enough',
  'operations/search-blocks': 'indexes the messages of all accounts',
  'plans/session-stops': 'workers, over the numbers that they hold or nobody does',
  'numbers/sessions': 'the worker that holds a number’s lease, by its fence',
  'messages/slots': 'the worker that holds a number’s lease',
  'messages/sweeps': 'workers, over the numbers that they hold, by their fence',
  'webhooks/deliveries': 'workers, which deliver the events of all accounts',
};

// A local `numberId` only narrows a query that has its account condition already.
const OWNER = String.raw`(?:(?:params|ref)\.(?:accountId|userId|numberId)|accountId)`;
/** `eq(numbers.accountId, params.accountId)` and `eq(accounts.id, params.accountId)`. */
const CONDITION = new RegExp(
  String.raw`\beq\(\w+\.(?:(?:accountId|userId|numberId), ${OWNER}|id, params\.(?:accountId|userId))\)`,
  'g',
);
/** `n.account_id = ${params.accountId}`, and correlated ones such as `o.account_id = n.account_id` or `${row}.account_id`. */
const IN_SQL =
  /(?:\b\w+\.|\$\{\w+\}\.)?\b(?:(?:account_id|user_id) = (?:(?:\w+|\$\{\w+\})\.account_id|accounts\.id|\$\{[\w.]+\})|number_id = \$\{params\.numberId\})/g;

export function scopesPlugin() {
  return {
    name: 'tenancy-scopes',
    enforce: 'pre' as const,
    transform(code: string, id: string): { code: string; map: null } | null {
      const [, domain, file] =
        /\/server\/([\w-]+)\/queries\/([\w-]+)\.ts$/.exec(id.split('?')[0] ?? '') ?? [];
      return file && !(`${domain}/${file}` in ABOVE_ACCOUNTS)
        ? { code: rewrite(file, code), map: null }
        : null;
    },
  };
}

function rewrite(file: string, code: string): string {
  let sites = 0;
  const next = () => JSON.stringify(`${file}#${++sites}`);
  const tagged = code
    .replace(IN_SQL, (found) => `(${found} or \${__tenancy.open(${next()})})`)
    .replace(CONDITION, (found) => `__tenancy.scope(${next()}, () => ${found})`);
  const names: string[] = [];
  const wrapped = tagged.replace(/^export (async )?function (\w+)/gm, (_, async = '', name: string) => {
    names.push(name);
    return `${async}function raw_${name}`;
  });
  const exports = names.map(
    (name) => `export const ${name} = __tenancy.seen(${JSON.stringify(`${file}.${name}`)}, raw_${name});`,
  );
  return [
    `import { tenancy as __tenancy } from ${JSON.stringify(path.join(import.meta.dirname, 'scopes.ts'))};`,
    `__tenancy.declare(${JSON.stringify(file)}, ${sites});`,
    wrapped,
    ...exports,
  ].join('\n');
}
