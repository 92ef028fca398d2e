import { AppError } from '#server/core/errors.ts';
import type { Database } from '#server/platform/db/client.ts';
import { claimAdminWithin, isFirstAdminLink } from './first-admin.ts';
import { signUp } from './sign-up.ts';

/**
 * Makes the installation's administrator, user and account included, by the one-time link of the first
 * start; sign-up may be closed. Throws `not_found` for a link that is used up or replaced, and what signing
 * up throws.
 */
export async function setUp(
  database: Database,
  params: { token: string; email: string; password: string; accountName: string; address: string | null },
): Promise<void> {
  const { token, address, ...user } = params;
  if (!(await isFirstAdminLink(database, { token })))
    throw new AppError(
      'not_found',
      'This link is no longer valid. If there is no administrator yet, start Wirebird again to get a new link.',
    );
  await signUp(database, {
    ...user,
    address,
    operator: { kind: 'system' },
    // Of those who use the link at the same moment one has an account afterwards.
    within: (tx, { userId }) => claimAdminWithin(tx, { token, userId, address }),
  });
}
