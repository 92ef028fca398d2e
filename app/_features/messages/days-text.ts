import { day as dayText } from '#app/_components/ui/time.tsx';
import { isPreset, parseDays } from './days.ts';

const PRESET_NAMES = { today: 'Today', yesterday: 'Yesterday', '7': 'Last 7 days', '30': 'Last 30 days' };

/** `Last 7 days`, `1 March 2026`, `From 1 March 2026`. */
export function daysText(text: string): string | undefined {
  if (isPreset(text)) return PRESET_NAMES[text];
  const days = parseDays(text);
  if (!days) return undefined;
  const [first, last] = [days.first && dayText(days.first), days.last && dayText(days.last)];
  if (first && last) return first === last ? first : `${first} – ${last}`;
  return first ? `From ${first}` : `Until ${last}`;
}
