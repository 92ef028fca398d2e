'use client';

import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { AppRouter } from '#server/dashboard/router.ts';

/** The dashboard's API, typed from its router. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

/** What the procedures answer, as it arrives in the browser: dates are ISO strings. */
export type Outputs = inferRouterOutputs<AppRouter>;
/** What they take. */
export type Inputs = inferRouterInputs<AppRouter>;
