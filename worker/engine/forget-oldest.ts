/** Keeps the newest `max` of what is remembered, by the order in which it was added. */
export function forgetOldest(kept: Map<string, unknown> | Set<string>, max: number): void {
  const oldest = kept.keys().next();
  if (kept.size > max && !oldest.done) kept.delete(oldest.value);
}
