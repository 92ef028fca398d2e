/** The visible page. */

const app = document.getElementById('app') ?? document.body;
let state = 'starting…';
let cover: HTMLElement | null = null;

export function showState(next: string): void {
  state = next;
  if (!cover) app.textContent = state;
}

/** Shows this in place of the state; null shows the state again. */
export function coverState(next: HTMLElement | null): void {
  cover = next;
  if (cover) app.replaceChildren(cover);
  else app.textContent = state;
}
