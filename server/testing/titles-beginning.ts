/**
 * How many strings in the source of a test begin with these words, or continue so after a value: documents name a test by the
 * first words of its title.
 */
export const titlesBeginning = (words: string, source: string): number =>
  ["'", '"', '`', '} '].reduce((sum, before) => sum + source.split(before + words).length - 1, 0);
