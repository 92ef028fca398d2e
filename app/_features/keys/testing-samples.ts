import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { PYTHON_ENV, pythonWith } from '../../../clients/testing/python.ts';
import type { Language } from './samples.ts';

/** How a user runs a saved sample, and its file name. */
const INTERPRETERS: Record<Language | 'TypeScript', { command: string; file: string }> = {
  curl: { command: 'sh', file: 'send.sh' },
  Node: { command: process.execPath, file: 'send.mjs' },
  TypeScript: { command: process.execPath, file: 'send.mts' },
  // The samples of the reference use the client, which needs httpx.
  Python: { command: pythonWith('httpx') ?? 'python3', file: 'send.py' },
  PHP: { command: 'php', file: 'send.php' },
};

const CLIENT = path.join(import.meta.dirname, '../../../clients/typescript/src/index.ts');

/** Can this machine run samples in the language? */
export function canRun(language: keyof typeof INTERPRETERS): boolean {
  try {
    execFileSync(language === 'curl' ? 'curl' : INTERPRETERS[language].command, ['--version'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

export interface Ran {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs a sample exactly as shown, with its API key in the environment. */
export async function runSample(
  language: keyof typeof INTERPRETERS,
  code: string,
  key: string,
): Promise<Ran> {
  const { command, file } = INTERPRETERS[language];
  const place = await mkdtemp(path.join(os.tmpdir(), 'wirebird-sample-'));
  try {
    await writeFile(path.join(place, file), code);
    if (language === 'TypeScript') await installClient(place);
    return await run(command, file, { cwd: place, key });
  } finally {
    await rm(place, { recursive: true });
  }
}

interface KeyedSample {
  code: string;
  /** `WIREBIRD_KEY` in its environment. */
  key: string;
}

/** Printed after each sample that ended without an error. */
const END = '--- the next sample ---';

/** One program that runs each of these files unchanged, until one fails. */
const RUN_ALL: Record<keyof typeof INTERPRETERS, (samples: { file: string; key: string }[]) => string> = {
  curl: (samples) =>
    samples
      .map(({ file, key }) => `(WIREBIRD_KEY='${key}'; . ./${file}) || exit; echo '\n${END}'\n`)
      .join(''),
  Node: (samples) => runAllScript(samples),
  TypeScript: (samples) => runAllScript(samples),
  Python: (samples) =>
    `import os, runpy\n${samples
      .map(
        ({ file, key }) =>
          `os.environ['WIREBIRD_KEY'] = '${key}'; runpy.run_path('${file}'); print('${END}')\n`,
      )
      .join('')}`,
  PHP: (samples) =>
    `<?php\n${samples.map(({ file, key }) => `putenv('WIREBIRD_KEY=${key}'); include '${file}'; echo '${END}';\n`).join('')}`,
};

const runAllScript = (samples: { file: string; key: string }[]) =>
  samples
    .map(
      ({ file, key }) =>
        `process.env.WIREBIRD_KEY = '${key}'; await import('./${file}'); console.log('${END}');\n`,
    )
    .join('');

/** Runs samples as shown, one after another in one process, until one fails. `printed`: the output of each. */
export async function runSamples(
  language: keyof typeof INTERPRETERS,
  samples: readonly KeyedSample[],
): Promise<Ran & { printed: string[] }> {
  const { command, file } = INTERPRETERS[language];
  const place = await mkdtemp(path.join(os.tmpdir(), 'wirebird-samples-'));
  try {
    const files = samples.map(({ key }, at) => ({ file: `${at}-${file}`, key }));
    for (const [at, { code }] of samples.entries()) await writeFile(path.join(place, `${at}-${file}`), code);
    await writeFile(path.join(place, file), RUN_ALL[language](files));
    if (language === 'TypeScript') await installClient(place);
    const ran = await run(command, file, { cwd: place, key: '' });
    return { ...ran, printed: ran.stdout.split(END).slice(0, -1) };
  } finally {
    await rm(place, { recursive: true });
  }
}

/** Installs the client as `npm install wirebird` does for a sample, but from its source. */
async function installClient(place: string): Promise<void> {
  const folder = path.join(place, 'node_modules/wirebird');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"type":"module","exports":"./index.js"}');
  await writeFile(path.join(folder, 'index.js'), `export * from ${JSON.stringify(pathToFileURL(CLIENT))};`);
}

function run(command: string, file: string, { cwd, key }: { cwd: string; key: string }): Promise<Ran> {
  // biome-ignore lint/style/noProcessEnv: no setting of the product; what a customer's shell hands on
  const env = { ...process.env, ...PYTHON_ENV, WIREBIRD_KEY: key };
  return new Promise((resolve) => {
    execFile(command, [file], { cwd, env, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ exitCode: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
  });
}
