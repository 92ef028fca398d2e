import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright/test';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on a page, each as one line. */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async (rules) => {
    // While the theme changes, colours belong to neither theme.
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    // A transition within a closed <details> never ends.
    const under = document.getAnimations().filter((one) => {
      const target = one.effect instanceof KeyframeEffect ? one.effect.target : null;
      return one instanceof CSSTransition && target?.checkVisibility();
    });
    await Promise.allSettled(under.map(({ finished }) => finished));
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const found = await axe.run({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
    return found.violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${help} (${target.join(' ')}) ${any[0]?.message ?? ''}`),
    );
  }, rules);
}
