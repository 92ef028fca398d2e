import { webcrypto } from 'node:crypto';

// Node 18 has no global `crypto`.
globalThis.crypto ??= webcrypto as Crypto;

export * from './index.ts';
