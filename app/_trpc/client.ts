import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { AppRouter } from '#server/dashboard/router.ts';

/** The dashboard's API, typed from its router. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

/** The answers of the procedures as the browser gets them: dates are ISO strings. */
export type Outputs = inferRouterOutputs<AppRouter>;
/** The inputs of the procedures. */
export type Inputs = inferRouterInputs<AppRouter>;
