import { z } from 'zod';

/** A sign-in ends after this time, also if it is in use. */
export const SIGN_IN_DAYS = 14;

/**
 * The fields to sign in or up, with limits on their length before they are hashed or compared. Their use checks
 * the rest.
 */
export const EmailField = z.string().max(254);
export const PasswordField = z.string().max(1000);
/** Of an authenticator app, or a recovery code. */
export const CodeField = z.string().max(64);
/** The secret of a one-time link. */
export const LinkTokenField = z.string().max(200);
