import { waitsBecause } from './waits-because.ts';

/** Why a queued message waits, or `otherwise` if that is not known. Loads on demand. */
export default function WhyWaiting({
  message,
  number,
  otherwise,
}: {
  message: Parameters<typeof waitsBecause>[0];
  number: Parameters<typeof waitsBecause>[1];
  otherwise: string;
}) {
  return waitsBecause(message, number) ?? otherwise;
}
