import { fork } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryEngine } from '#worker/engine/testing.ts';

/**
 * `npm run bench:memory [variant]`: memory for each linked number by the browser's flags, on sandbox numbers,
 * with the page as it is and with 200 MB of ballast in it, because WhatsApp's own page is heavy. Shared pages
 * count by their share (PSS). The process that drives the sessions is included; it plays the sandbox as well.
 */

/** What is tried: flags taken away from those in use, and added to them. */
const VARIANTS: Record<string, { without?: RegExp; more?: string[] }> = {
  'as used': {},
  'GPU process of its own': { without: /^--in-process-gpu$/ },
  'GPU in the browser': { more: ['--in-process-gpu'] },
  'GPU in the browser, small V8': { more: ['--in-process-gpu', '--js-flags=--optimize-for-size'] },
  'GPU in the browser, no zygote': { more: ['--in-process-gpu', '--no-zygote'] },
};
const NUMBERS = [1, 2, 4, 8];
const BALLAST_MB = [0, 200];
/** Chromium gives back what loading took. */
const SETTLE_MS = 8_000;
const CPU_MS = 10_000;

interface Measured {
  variant: string;
  ballastMb: number;
  numbers: number;
  mbEach: number;
  mbDriver: number;
  /** Of one core, in percent, for each idle number. */
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

/** One variant with one ballast, growing from one number to the most. */
async function measure(variant: string, ballastMb: number, most: number): Promise<Measured[]> {
  await using engine = await temporaryEngine({ ballastMb });
  const { without, more = [] } = VARIANTS[variant] ?? {};
  const args = engine.browser.args.filter((arg) => !without?.test(arg));
  engine.browser.args.splice(0, engine.browser.args.length, ...args, ...more);
  const measured: Measured[] = [];
  for (let linked = 0; linked < most; ) {
    linked += 1;
    const { times } = await engine.link(`num_${linked}`, `99900000000${linked}`, { startMs: 60_000 });
    times.watchMs = 1000;
    if (!NUMBERS.includes(linked)) continue;
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
      ballastMb,
      numbers: linked,
      mbEach: Math.round((total + mbDriver) / linked),
      mbDriver: Math.round(mbDriver),
      cpuPercentEach: Math.round((cpu / (CPU_MS / 1000) / linked) * 10_000) / 100,
    });
  }
  return measured;
}

const [only, job] = process.argv.slice(2);
if (job !== undefined) {
  const [ballastMb = 0, most = 8] = job.split(',').map(Number);
  process.send?.(await measure(only ?? '', ballastMb, most));
  process.exit(0);
}
const results: Measured[] = [];
for (const variant of Object.keys(VARIANTS).filter((name) => only === undefined || name === only)) {
  for (const ballastMb of BALLAST_MB) {
    // A process for each, so that none begins with another's heap.
    const child = fork(import.meta.filename, [variant, `${ballastMb},8`]);
    const rows = await new Promise<Measured[]>((resolve, reject) => {
      child.once('message', (rows) => resolve(rows as Measured[]));
      child.once('exit', (code) => code !== 0 && reject(new Error(`it ended with ${code}`)));
    });
    results.push(...rows);
    console.table(rows);
  }
}
await mkdir('bench-results', { recursive: true });
await writeFile('bench-results/memory.json', `${JSON.stringify(results, null, 2)}\n`);
