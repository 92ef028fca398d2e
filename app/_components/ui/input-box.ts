import { INPUT } from './input.tsx';

/** The looks of an input, for the box around one with an icon or a button. */
export const INPUT_BOX = `${INPUT} focus-within:border-focus focus-within:ring-3 focus-within:ring-[color-mix(in_oklab,var(--focus)_22%,transparent)]`;
