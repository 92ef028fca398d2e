import { Tag } from '#app/_components/ui/badge.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { KIND_LABELS } from '#app/_features/kinds/kind-labels.ts';
import type { Outputs } from '#app/_trpc/client.ts';
import { builds } from './build-words.ts';

type Kind = Outputs['admin']['builds']['builds'][number]['kinds'][number];

const texts = builds.kinds;
const SIGNS = {
  proven: { tone: 'ok', shape: 'done' },
  tested: { tone: 'mute', shape: 'ring' },
  failed: { tone: 'fail', shape: 'cross' },
  untested: { tone: 'mute', shape: 'dashed' },
} as const;

/** Which kinds of messages a build can send; nothing if none was tested. */
export function BuildKinds({ kinds }: { kinds: readonly Kind[] }) {
  if (kinds.every(({ result }) => result === 'untested')) return null;
  return (
    <>
      <ul aria-label={texts.list} className="flex flex-wrap gap-1">
        {kinds.map(({ kind, result }) => (
          <li key={kind} title={texts.results[result]}>
            <Tag tone={SIGNS[result].tone} className="gap-[3px] pl-1">
              <StatusIcon shape={SIGNS[result].shape} size={11} />
              {KIND_LABELS[kind]}
              <span className="sr-only">: {texts.results[result]}</span>
            </Tag>
          </li>
        ))}
      </ul>
      {failedChecks(kinds).map(({ check, labels }) => (
        <p key={check} className="max-w-full text-12 text-ink-2">
          {texts.failed(labels, check)}
        </p>
      ))}
    </>
  );
}

/** What differs in the kinds that failed, each difference once. */
function failedChecks(kinds: readonly Kind[]): { check: string; labels: string }[] {
  const checks = new Map<string, string[]>();
  for (const { kind, result, failedCheck } of kinds)
    if (result === 'failed' && failedCheck)
      checks.set(failedCheck, [...(checks.get(failedCheck) ?? []), KIND_LABELS[kind]]);
  return [...checks].map(([check, labels]) => ({ check, labels: labels.join(', ') }));
}
