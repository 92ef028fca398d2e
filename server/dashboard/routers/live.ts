import { AppError } from '#server/core/errors.ts';
import { sessionUser } from '#server/services/session-user.ts';
import { followSignIn } from '#server/services/sign-in-watch.ts';
import { watchAccount } from '#server/services/watch-account.ts';
import { memberProcedure, presentable, router } from '../trpc.ts';

const ENDED = 'You are signed out. Sign in again.';
const MOVED = 'This browser shows another account now. Load the page again.';

export const live = router({
  /**
   * What changed in the account: the page then asks anew for what it shows, through the same procedures and
   * permissions as before. One stream for a whole page, because a browser opens six connections to a host
   * over HTTP/1.1 and no more.
   */
  changes: memberProcedure.subscription(async function* ({ ctx, signal }) {
    const { database, accountId, user } = ctx;
    const end = new AbortController();
    const forget = followSignIn(database, { signInId: user.signInId, accountId }, () => end.abort());
    try {
      const stop = AbortSignal.any([end.signal, signal ?? AbortSignal.abort()]);
      yield* watchAccount(database, { accountId, signal: stop });
    } catch (error) {
      throw presentable(error);
    } finally {
      forget();
    }
    if (!end.signal.aborted) return;
    const now = await sessionUser(database.db, user);
    // The same browser shows another account from now on: its pages are loaded anew.
    if (now && now.views?.accountId !== user.views?.accountId)
      throw presentable(new AppError('forbidden', MOVED));
    throw presentable(new AppError('unauthorized', ENDED));
  }),
});
