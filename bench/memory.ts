import { fork } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { installedBrowsers, isShell } from '#worker/engine/installed-browsers.ts';
import { temporaryEngine } from '#worker/testing/engine.ts';

/**
 * `npm run bench:memory [variant]`: memory (PSS) for each linked sandbox number by the browser's flags, with the page as
 * it is and with 200 MB of ballast, as WhatsApp's own page is large. Includes the process that drives the sessions and
 * simulates WhatsApp. One variant is the library alone: a full Chromium with puppeteer's default flags.
 */

interface Variant {
  /** Flags removed from the default ones. */
  without?: RegExp;
  /** Flags added to them. */
  more?: string[];
  /** None of our flags, and a full browser if one is installed beside a headless shell. */
  library?: boolean;
}

const VARIANTS: Record<string, Variant> = {
  'as used': {},
  'the library alone': { library: true },
  'GPU process of its own': { without: /^--in-process-gpu$/ },
  'GPU in the browser': { more: ['--in-process-gpu'] },
  'GPU in the browser, small V8': { more: ['--in-process-gpu', '--js-flags=--optimize-for-size'] },
  'GPU in the browser, no zygote': { more: ['--in-process-gpu', '--no-zygote'] },
};
const NUMBERS = [1, 2, 4, 8];
const BALLAST_MB = [0, 200];
/** Chromium releases the memory that loading took. */
const SETTLE_MS = 8_000;
const CPU_MS = 10_000;

export interface Measured {
  variant: string;
  /** The path of the browser. */
  browser: string;
  ballastMb: number;
  numbers: number;
  mbEach: number;
  mbDriver: number;
  /** CPU use of each idle number, in percent of one core. */
  cpuPercentEach: number;
}

async function pssOf(pid: number | string): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
}

async function cpuSecondsOf(pids: readonly number[]): Promise<number> {
  let ticks = 0;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  }
  return ticks / 100;
}

/** One variant with one ballast, from one number to the last of `numbers`. */
async function measure(variant: string, ballastMb: number, numbers: readonly number[]): Promise<Measured[]> {
  await using engine = await temporaryEngine({ ballastMb });
  const { without, more = [], library = false } = VARIANTS[variant] ?? {};
  const kept = library ? /^--no-sandbox$/ : /./;
  const args = engine.browser.args.filter((arg) => kept.test(arg) && !without?.test(arg));
  engine.browser.args.splice(0, engine.browser.args.length, ...args, ...more);
  const whole = library ? wholeBrowser() : undefined;
  if (whole) Object.assign(engine.browser, { executablePath: whole, headless: true });
  const most = Math.max(...numbers);
  const measured: Measured[] = [];
  for (let linked = 0; linked < most; ) {
    linked += 1;
    const { times } = await engine.link(`num_${linked}`, `99900000000${linked}`, { startMs: 60_000 });
    times.watchMs = 1000;
    if (!numbers.includes(linked)) continue;
    await delay(SETTLE_MS);
    const pids = engine.processes().map(({ pid }) => pid);
    const before = await cpuSecondsOf(pids);
    await delay(CPU_MS);
    const cpu = (await cpuSecondsOf(pids)) - before;
    let total = 0;
    for (const pid of pids) total += await pssOf(pid);
    const mbDriver = await pssOf('self');
    measured.push({
      variant,
      browser: path.basename(engine.browser.executablePath),
      ballastMb,
      numbers: linked,
      mbEach: Math.round((total + mbDriver) / linked),
      mbDriver: Math.round(mbDriver),
      cpuPercentEach: Math.round((cpu / (CPU_MS / 1000) / linked) * 10_000) / 100,
    });
  }
  return measured;
}

/** A full browser, not a headless shell. */
function wholeBrowser(): string | undefined {
  return installedBrowsers().find((file) => !isShell(file));
}

/** Variants with and without ballast, each in its own process, so that none starts with another's heap. */
export async function benchMemory({
  variants = ['as used', 'the library alone'],
  numbers = [1, 8],
  report = (_rows: Measured[]) => {},
}): Promise<{ rows: Measured[]; ratio: Record<string, number> }> {
  const rows: Measured[] = [];
  for (const variant of variants) {
    for (const ballastMb of BALLAST_MB) {
      const child = fork(import.meta.filename, [variant, JSON.stringify({ ballastMb, numbers })]);
      const measured = await new Promise<Measured[]>((resolve, reject) => {
        child.once('message', (message) => resolve(message as Measured[]));
        child.once('exit', (code) => code !== 0 && reject(new Error(`it ended with ${code}`)));
      });
      rows.push(...measured);
      report(measured);
    }
  }
  return { rows, ratio: ratiosOf(rows) };
}

/** Memory per number, as a share of the library alone. */
function ratiosOf(rows: Measured[]): Record<string, number> {
  const ratio: Record<string, number> = {};
  for (const { ballastMb, numbers, mbEach, variant } of rows) {
    const floor = rows.find(
      (row) => row.variant === 'the library alone' && row.ballastMb === ballastMb && row.numbers === numbers,
    );
    if (variant !== 'as used' || !floor) continue;
    ratio[`${numbers} numbers, ${ballastMb} MB of ballast`] = Math.round((mbEach / floor.mbEach) * 100) / 100;
  }
  return ratio;
}

if (import.meta.main) {
  const [only, job] = process.argv.slice(2);
  if (job !== undefined) {
    const { ballastMb, numbers } = JSON.parse(job) as { ballastMb: number; numbers: number[] };
    process.send?.(await measure(only ?? '', ballastMb, numbers));
    process.exit(0);
  }
  const variants = Object.keys(VARIANTS).filter((name) => only === undefined || name === only);
  const { rows, ratio } = await benchMemory({
    variants,
    numbers: NUMBERS,
    report: (measured) => console.table(measured),
  });
  console.table(ratio);
  await mkdir('bench-results', { recursive: true });
  await writeFile('bench-results/memory.json', `${JSON.stringify(rows, null, 2)}\n`);
}
