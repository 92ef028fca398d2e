/** Percentile of a sample, by the nearest-rank method. */
export function percentile(sample: readonly number[], share: number): number {
  const sorted = [...sample].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export interface Summary {
  n: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

export function summarise(sample: readonly number[]): Summary {
  const at = (share: number) => Math.round(percentile(sample, share) * 100) / 100;
  return { n: sample.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
