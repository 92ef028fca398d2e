/**
 * How the caller wants to be answered: `sync` waits for the outcome; `async` (`Prefer: respond-async`) is
 * answered when accepted; `wait` (`Prefer: wait=N`) becomes async after N seconds.
 */
export type AnswerMode =
  | { kind: 'sync' }
  | { kind: 'async'; expiresInSeconds: number | null }
  | { kind: 'wait'; waitSeconds: number; expiresInSeconds: number | null };
