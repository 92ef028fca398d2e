import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright';
import type { ReceivedMail } from '#server/testing/smtp.ts';
import { settled } from '../settled.ts';

const HEIGHT = 900;
/** Longer pages are cut in the picture; their text is complete. */
const HEIGHT_MAX = 6_000;

/** What one person sees, in order: numbered files of one folder. A name says what kind of thing it is, not what it shows. */
export class Notes {
  readonly #directory: string;
  #count = 0;

  constructor(directory: string) {
    this.#directory = directory;
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
  }

  /** What the person does next, or knows. */
  says(what: string, text: string): void {
    this.#write(this.#next(what), 'txt', text);
  }

  /** The page as it is now, and its visible text. `widths`: a picture for each. */
  async screen(page: Page, what: string, { widths = [1280], section = '' } = {}): Promise<void> {
    const name = this.#next(`screen-${what}`);
    await settled(page);
    const at = new URL(page.url());
    const part = section === '' ? page.locator('body') : page.locator(section);
    const text = (await part.innerText()).replaceAll(/\n{3,}/g, '\n\n');
    this.#write(name, 'txt', `${at.pathname}${at.search}${at.hash}, seen at ${clock()}\n\n${text}`);
    for (const width of widths) await this.#draw(page, name, { width, section, one: widths.length === 1 });
    await page.setViewportSize({ width: 1280, height: HEIGHT });
  }

  async #draw(
    page: Page,
    name: string,
    how: { width: number; section: string; one: boolean },
  ): Promise<void> {
    const { width, section, one } = how;
    const file = path.join(this.#directory, `${name}${one ? '' : `-${width}`}.png`);
    await page.setViewportSize({ width, height: HEIGHT });
    await settled(page);
    if (section !== '') {
      await page.locator(section).screenshot({ path: file, animations: 'disabled' });
      return;
    }
    // An overlay is drawn over its place on the page, not at the end of a long picture.
    const over = (await page.getByRole('dialog').or(page.getByRole('alertdialog')).count()) > 0;
    const long = over ? 0 : await page.evaluate(() => document.body.scrollHeight);
    if (long > HEIGHT) await page.setViewportSize({ width, height: Math.min(long, HEIGHT_MAX) });
    await page.screenshot({ path: file, animations: 'disabled' });
  }

  mail({ to, headers, text, html }: ReceivedMail): void {
    const name = this.#next('mail');
    const head = ['from', 'subject', 'date'].map((key) => `${key}: ${headers[key] ?? ''}\n`).join('');
    this.#write(name, 'txt', `to: ${to.join(', ')}\n${head}\n${text}`);
    this.#write(name, 'html', html);
  }

  #next(what: string): string {
    this.#count += 1;
    return `${String(this.#count).padStart(2, '0')}-${what}`;
  }

  #write(name: string, ending: string, text: string): void {
    writeFileSync(path.join(this.#directory, `${name}.${ending}`), `${text.trimEnd()}\n`);
  }
}

/** The time of day, in UTC. */
export function clock(): string {
  return `${new Date().toISOString().slice(11, 19)} UTC`;
}
