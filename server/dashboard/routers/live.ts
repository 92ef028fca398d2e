import { type AccountChanges, watchAccount } from '#server/accounts/watch-account.ts';
import { takeStream } from '#server/dashboard/open-streams.ts';
import { followSignIn } from '#server/people/sign-in-watch.ts';
import { type StreamEndReason, streamEnd } from '#server/people/stream-end.ts';
import { memberProcedure, presentable, router } from '../trpc.ts';

export const live = router({
  /**
   * Reports changes of the account, so that the page loads its data again, with the usual permissions. One stream
   * for a whole page, because a browser opens at most six connections to a host over HTTP/1.1. Its last event says
   * why it ended.
   */
  changes: memberProcedure.subscription(async function* ({
    ctx,
    signal,
  }): AsyncGenerator<AccountChanges | { ended: StreamEndReason }> {
    const { database, accountId, user } = ctx;
    const of = { signInId: user.signInId, accountId };
    const end = new AbortController();
    let giveBack = () => {};
    let forget = () => {};
    try {
      giveBack = takeStream(of);
      forget = followSignIn({ database }, of, () => end.abort());
      const stop = AbortSignal.any([end.signal, signal ?? AbortSignal.abort()]);
      yield* watchAccount(ctx, stop);
      if (end.signal.aborted) yield { ended: await streamEnd(ctx, user) };
    } catch (error) {
      throw presentable(error);
    } finally {
      forget();
      giveBack();
    }
  }),
});
