/** A path of ours that somebody was on the way to; anything else leads to the start page. */
export function ownPath(next: string | null | undefined): string {
  return next && /^\/(?![/\\])/.test(next) ? next : '/';
}
