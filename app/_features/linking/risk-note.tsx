import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Checkbox } from '#app/_components/ui/choice.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { linking } from './words.ts';

const texts = linking.risk;

export type Risk = ReturnType<typeof useRisk>;

/** Must the account still accept the risk before its first code of a real number? Remembered once accepted. */
export function useRisk(number: NumberItem) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [read, setRead] = useState(false);
  const real = number.network === 'whatsapp';
  const { data } = useQuery(trpc.numbers.riskAccepted.queryOptions(undefined, { enabled: real }));
  const save = useMutation(
    trpc.numbers.acceptRisk.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.numbers.riskAccepted.queryFilter()),
    }),
  );
  const asks = real && data === false;
  return {
    asks,
    read,
    setRead,
    may: !real || data === true || (asks && read),
    accept: async () => {
      if (asks && read) await save.mutateAsync();
    },
  };
}

/** The risk of a real number, what lowers it, and a checkbox. */
export function RiskNote({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <Note tone="warn" title={texts.title}>
      <div className="mt-1 grid gap-x-8 gap-y-3 lg:grid-cols-2">
        <Points points={texts.risks} />
        <div>
          <h3 className="text-13 font-medium text-ink">{texts.lowersTitle}</h3>
          <Points points={texts.lowers} />
        </div>
      </div>
      <div className="mt-3 text-ink">
        <Checkbox checked={checked} onChange={onChange}>
          {texts.tick}
        </Checkbox>
      </div>
    </Note>
  );
}

function Points({ points }: { points: readonly string[] }) {
  return (
    <ul className="mt-1 max-w-[64ch] list-disc space-y-1 pl-4">
      {points.map((point) => (
        <li key={point}>{point}</li>
      ))}
    </ul>
  );
}
