import { parseArgs } from 'node:util';

const OPTIONS = {
  row: {
    type: 'string',
    default: 'all',
    does: 'names of rows, “all”, “duplicates” (those that could deliver twice) or “events” (those about webhooks)',
  },
  times: { type: 'string', default: '1', does: 'how often each row must pass' },
  database: { type: 'string', default: 'embedded', does: '“embedded” or “given”' },
  transport: { type: 'string', default: 'chromium', does: '“chromium” or “browserless”' },
  'key-field': {
    type: 'string',
    default: 'both',
    does: 'with Chromium: “$1”, “_serialized”, or “both” for half of the passes each',
  },
  since: { type: 'string', does: 'also skips runs of commits since this one' },
  'side-by-side': {
    type: 'string',
    default: '1',
    does: 'how many runs of a row happen at once, where it allows that',
  },
  results: { type: 'string', default: 'fault-results.jsonl', does: 'the results file' },
  summary: { type: 'boolean', default: false, does: 'only prints the table' },
  verbose: { type: 'boolean', default: false, does: 'prints the output of the processes after a failure' },
  kills: { type: 'string', does: 'instead of rows: kills workers this many times at random moments' },
  orders: { type: 'string', does: 'instead of rows: a backend that sends this many orders' },
  help: { type: 'boolean', short: 'h', default: false, does: 'prints this' },
} as const;

/** The options of a run. Prints the usage and ends the process if it is asked for, or if an option is unknown. */
export function readOptions(args: string[]) {
  try {
    const { values } = parseArgs({ args, options: OPTIONS });
    if (!values.help) return values;
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
  console.log(usage());
  process.exit(0);
}

function usage(): string {
  const lines = Object.entries(OPTIONS).map(([name, { does, ...option }]) => {
    const given = 'default' in option && option.default !== false ? ` (default: ${option.default})` : '';
    return `  --${name.padEnd(14)}${does}${given}`;
  });
  return ['Usage: npm run test:faults -- [options]', '', ...lines].join('\n');
}
