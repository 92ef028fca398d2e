/** An ID for an attempt to send. Not `crypto.randomUUID`: browsers have it only on pages with HTTPS. */
export function newAttempt(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
