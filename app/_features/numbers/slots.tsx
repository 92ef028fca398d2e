import { ADMISSION_WINDOW_MS } from '#server/core/pacing/waits.ts';
import { intervalTexts as texts } from './interval-words.ts';

/** The drawing goes a little beyond the time that requests wait. */
const WIDTH_MS = ADMISSION_WINDOW_MS * 1.2;
const at = (ms: number) => `${(ms / WIDTH_MS) * 100}%`;

/** Draws when requests that arrive at once leave, and from when on they are refused. */
export function Slots({ slots }: { slots: readonly number[] }) {
  return (
    <div aria-hidden="true" className="mt-4 text-11 text-ink-3 tabular-nums">
      <p className="mb-1.5 text-12 text-ink-2">{texts.drawing(slots.length)}</p>
      <div className="relative h-7 overflow-hidden rounded-2 border border-line bg-sunken">
        <div
          style={{ left: at(ADMISSION_WINDOW_MS) }}
          className="tone-fail absolute inset-y-0 right-0 grid place-items-center border-l border-line bg-tone-bg font-medium whitespace-nowrap text-tone-fg"
        >
          {texts.next}
        </div>
        {slots.map((ms) => (
          <span
            key={ms}
            style={{ left: `calc(${at(ms)} + 3px)` }}
            className="absolute inset-y-[5px] w-1.5 rounded-full bg-brand-solid"
          />
        ))}
      </div>
      <div className="relative h-5">
        <span className="absolute top-1 left-0">0 s</span>
        <span style={{ left: at(ADMISSION_WINDOW_MS) }} className="absolute top-1 -translate-x-1/2">
          40 s
        </span>
      </div>
    </div>
  );
}
