/** What a member does next with a number that was just linked. */
export type NextStep = 'decide' | 'try' | 'key' | 'number';

/** `keys`: how many valid keys it has; undefined while that is unknown. Null until then. */
export function nextStep({
  decides,
  onTrial,
  keys,
}: {
  /** Messages wait for a decision. */
  decides: boolean;
  onTrial: boolean;
  keys: number | undefined;
}): NextStep | null {
  if (decides) return 'decide';
  // Without a plan, only the dashboard sends.
  if (onTrial) return 'try';
  if (keys === undefined) return null;
  return keys === 0 ? 'key' : 'number';
}
