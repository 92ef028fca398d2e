import manifest from '../../package.json' with { type: 'json' };

/** The version of the running product. */
export const { version } = manifest;
