'use client';

import { sentenceOf } from './provider.tsx';

/** The same promise; its error has a sentence for the user. */
export async function worded<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw new Error(sentenceOf(error), { cause: error });
  }
}
