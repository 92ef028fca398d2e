import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '#app/_trpc/client.ts';
import { PLACEHOLDER_FILES, type SampleFiles } from '#server/core/examples.ts';

/** Files that the samples send; the sandbox serves them. */
export function useSampleFiles(): SampleFiles {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.keys.sampleFiles.queryOptions(undefined, { staleTime: Infinity }));
  return data ?? PLACEHOLDER_FILES;
}
