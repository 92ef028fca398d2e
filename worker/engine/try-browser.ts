import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import puppeteer, { type LaunchOptions } from 'puppeteer';

const LAUNCH_LIMIT_MS = 30_000;
const WORDS_LIMIT_MS = 10_000;

type ToTry = Required<Pick<LaunchOptions, 'executablePath' | 'headless' | 'args' | 'env'>>;

/**
 * Starts a browser once to check that it runs. Some systems do not allow ordinary users the namespaces that its sandbox
 * needs, and every session would fail with an unclear error.
 *
 * @returns a sentence on what to do, or null when it works.
 */
export async function launchProblem(browser: ToTry, dataDir: string): Promise<string | null> {
  const profile = fs.mkdtempSync(path.join(dataDir, 'browser', 'try-'));
  try {
    const started = await puppeteer.launch({
      executablePath: browser.executablePath,
      headless: browser.headless,
      args: [...browser.args], // puppeteer takes flags out of the list it is given
      env: browser.env,
      userDataDir: profile,
      pipe: true,
      timeout: LAUNCH_LIMIT_MS,
    });
    await started.close();
    return null;
  } catch (error) {
    const message = String((error as Error).message);
    // With a pipe, puppeteer does not read the browser's output, so the browser is started again to get it.
    const written = await lastWords(browser);
    if (/no usable sandbox|sandbox.*(namespace|setuid)/i.test(message + written)) {
      return "this system does not allow its sandbox: install the distribution's own chromium package, or allow unprivileged user namespaces (in a container: a seccomp profile for Chromium)";
    }
    return written.trim().split('\n').at(-1) || message.split('\n').slice(0, 2).join(' ');
  } finally {
    fs.rmSync(profile, { recursive: true, force: true });
  }
}

/** What a browser that does not start writes when it is started once more. */
export async function lastWords({ executablePath, args, env }: Omit<ToTry, 'headless'>): Promise<string> {
  const profile = await mkdtemp(path.join(os.tmpdir(), 'wirebird-browser-'));
  const once = [...args, '--headless', `--user-data-dir=${profile}`, '--dump-dom', 'about:blank'];
  const options = { env: env as NodeJS.ProcessEnv, timeout: WORDS_LIMIT_MS, killSignal: 'SIGKILL' } as const;
  return promisify(execFile)(executablePath, once, options)
    .then(
      ({ stderr }) => stderr,
      ({ stderr, message }: Error & { stderr?: string }) => stderr || message,
    )
    .finally(() => rm(profile, { recursive: true, force: true }));
}
