import { duration } from '#app/_components/ui/time.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { builds as texts } from './build-words.ts';

type Build = Outputs['admin']['builds']['builds'][number];

/** Why a build is in its state, and when a trial ends; null for a good build. */
export function buildReason(
  build: Pick<Build, 'state' | 'verdict' | 'failedCheck' | 'tryingLeftMs'>,
): string | null {
  const { state, verdict, failedCheck, tryingLeftMs } = build;
  if (state === 'failed') return texts.failedCheck(failedCheck ?? '');
  if (state === 'tried')
    return texts.tried[verdict === 'passed' ? 'passed' : 'untested'](duration(tryingLeftMs));
  return texts.why[state];
}
