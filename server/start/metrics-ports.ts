import { settings } from '../settings.ts';
import type { WantedPort } from './port.ts';

const SETTINGS = { host: 'METRICS_HOST', port: 'METRICS_PORT' };

/** The metrics ports of this many processes on one machine; none without `METRICS_PORT`. */
export function metricsPorts(processes: 1 | 2): WantedPort[] {
  const { metricsHost: host, metricsPort } = settings;
  if (!metricsPort) return [];
  return Array.from({ length: processes }, (_, n) => ({ host, port: metricsPort + n, settings: SETTINGS }));
}
