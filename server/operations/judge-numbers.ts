import { NUMBER_NAMES, needsSomebody } from '#server/core/number-sign.ts';
import { NUMBER_STATUSES } from '#server/core/number-state.ts';
import { NUMBER_FIGURES, type NumberFigure } from './queries/installation-figures.ts';

const AWAY = NUMBER_STATUSES.filter((status) => needsSomebody({ status }));
const SENDING: readonly NumberFigure[] = ['CONNECTED', 'SYNCING', 'RECONNECTING'];

/**
 * What the states of all numbers mean for the installation. One number of many that is logged out concerns its
 * owner only, who gets an alert; if no number can send until a person acts, the installation is not healthy.
 */
export function judgeNumbers(numbers: ReadonlyMap<NumberFigure, number>): {
  ok: boolean;
  /** A person must act for some number. */
  away: boolean;
  found: string;
} {
  const count = (figure: NumberFigure) => numbers.get(figure) ?? 0;
  const some = (figures: readonly NumberFigure[]) => figures.some((figure) => count(figure) > 0);
  const named = NUMBER_FIGURES.filter((figure) => count(figure) > 0).map(
    (figure) => `${count(figure)} ${NUMBER_NAMES[figure].toLowerCase().replace('whatsapp', 'WhatsApp')}`,
  );
  return { ok: !some(AWAY) || some(SENDING), away: some(AWAY), found: named.join(', ') || 'none yet' };
}
