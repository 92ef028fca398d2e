import { Badge } from '#app/_components/ui/badge.tsx';
import type { Shape, Tone } from '#app/_components/ui/status-icon.tsx';
import type { PlanState } from '#server/core/access.ts';
import { admin } from './words.ts';

const SIGNS: Record<PlanState, { tone: Tone; shape: Shape }> = {
  none: { tone: 'mute', shape: 'dashed' },
  active: { tone: 'ok', shape: 'done' },
  grace: { tone: 'warn', shape: 'clock' },
  expired: { tone: 'fail', shape: 'cross' },
  ended: { tone: 'mute', shape: 'slash' },
};

export function PlanBadge({ state, suspended = false }: { state: PlanState; suspended?: boolean }) {
  const sign = suspended ? ({ tone: 'mute', shape: 'pause' } as const) : SIGNS[state];
  return <Badge {...sign}>{suspended ? admin.suspended : admin.planStates[state]}</Badge>;
}
