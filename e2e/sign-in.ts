import type { Page } from 'playwright';

/** Signs a visitor in by the form, and waits for the overview. The page needs a `baseURL`. */
export async function signInByForm(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/sign-in');
  await page.locator('input[type=email]').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL((at) => at.pathname === '/');
}
