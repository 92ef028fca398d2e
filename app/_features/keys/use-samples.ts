'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '#app/_trpc/client.ts';
import type { SampleFiles } from './samples.ts';

const PLACEHOLDERS: SampleFiles = {
  image: 'https://example.com/photo.jpg',
  document: 'https://example.com/offer.pdf',
  audio: 'https://example.com/song.mp3',
};

/** Files that the samples send; in the sandbox they work as they are. */
export function useSampleFiles(): SampleFiles {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.keys.sampleFiles.queryOptions(undefined, { staleTime: Infinity }));
  return data ?? PLACEHOLDERS;
}
