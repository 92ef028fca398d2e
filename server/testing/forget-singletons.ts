import { forgetSingletons } from '#server/platform/singleton.ts';

// Before each file: what the file before has opened must serve no other.
forgetSingletons();
