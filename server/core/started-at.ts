/** When a request started: the log has its end. */
export const startedAt = ({ at, durationMs }: { at: string | Date; durationMs: number }): Date =>
  new Date(new Date(at).getTime() - durationMs);
