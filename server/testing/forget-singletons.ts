import { forgetSingletons } from '#server/platform/singleton.ts';

// Before each file: nothing that an earlier file opened may serve this one.
forgetSingletons();
