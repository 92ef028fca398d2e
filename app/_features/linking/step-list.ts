import type { NumberStatus } from '#server/core/number-state.ts';
import type { Linking, Way } from './linking.ts';
import { linking as texts } from './words.ts';

type Place = 'done' | 'now' | 'todo';

interface Step {
  name: string;
  hint: string;
  place: Place;
}

/** The steps of linking. One that is still to come is worded as an action, so that it does not read as done. */
export function stepList(
  linking: Pick<Linking, 'open' | 'qr' | 'pairingCode' | 'syncPercent' | 'passkey'> | undefined,
  status: NumberStatus,
  way: Way,
): Step[] {
  const { steps } = texts;
  const asked = linking?.passkey != null;
  const shown = asked || linking?.qr != null || linking?.pairingCode != null;
  const at = status === 'CONNECTED' ? 4 : status === 'SYNCING' ? 2 : shown ? 1 : 0;
  const started = linking?.open === true || at > 0;
  const percent = linking?.syncPercent;
  const phone = way === 'qr' ? steps.scan : steps.enter;
  const words = [
    { name: steps.code, doneName: steps.codeShown, now: steps.preparing },
    { name: phone, doneName: phone, now: asked ? steps.passkey : steps.waiting },
    {
      name: steps.sync,
      doneName: steps.sync,
      now: percent == null ? steps.syncHint : steps.syncPercent(percent),
    },
    { name: steps.connect, doneName: steps.connected, now: steps.waiting },
  ];
  return words.map(({ name, doneName, now }, index) => {
    if (index < at) return { name: doneName, hint: steps.done, place: 'done' };
    const here = index === at && started;
    return here ? { name, hint: now, place: 'now' } : { name, hint: steps.notYet, place: 'todo' };
  });
}
