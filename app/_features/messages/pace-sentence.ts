import { intervalText, type SendPace } from '#server/core/pacing/interval.ts';

/** Why a message waits for its turn. */
export const paceSentence = (pace: SendPace) => `The number sends one message every ${intervalText(pace)} s.`;
