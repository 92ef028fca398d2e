import manifest from '../../package.json' with { type: 'json' };

/** Of the product that this process runs. */
export const { version } = manifest;
