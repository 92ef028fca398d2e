'use client';

import { sentenceOf } from './provider.tsx';

/** The same promise, failing with the sentence that a person may read. */
export async function worded<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw new Error(sentenceOf(error), { cause: error });
  }
}
