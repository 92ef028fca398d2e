import { AppError } from '#server/core/errors.ts';
import { LIMITS } from '#server/core/limits.ts';
import { checkMediaUrl, isAllowedHost } from '#server/platform/media/vet-url.ts';
import { settings } from '#server/settings.ts';

/** The addresses that events may be sent to, besides public ones. */
export const webhookRules = () => ({ allowHosts: settings.webhookAllowHosts, ports: settings.mediaPorts });

/** How events are posted: at most 10 seconds for a whole answer. */
export const webhookClientRules = () => ({ ...webhookRules(), answerMs: 10_000, connections: 8 });

/**
 * The URL of an endpoint as it is stored. Throws `invalid_parameters` for text that is not a URL, and for a URL
 * with a user name, with a port or address that is not permitted, or, in production, without https.
 */
export function checkEndpointUrl(text: string): string {
  const url = parse(text.trim());
  if (settings.production && url.protocol !== 'https:' && !isAllowedHost(url, settings.webhookAllowHosts))
    throw new AppError('invalid_parameters', 'url must begin with https://.', { field: 'url' });
  url.hash = '';
  if (url.href.length > LIMITS.endpointUrlChars)
    throw new AppError(
      'invalid_parameters',
      `url is longer than ${LIMITS.endpointUrlChars} characters once its special characters are encoded.`,
      { field: 'url' },
    );
  return url.href;
}

function parse(text: string): URL {
  try {
    return checkMediaUrl(text, webhookRules());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const sentence =
      error.code === 'invalid_parameters'
        ? error.message
        : 'url leads to an address that is not public. Give a public address, or ask the administrator to allow this one.';
    throw new AppError('invalid_parameters', sentence, { field: 'url', cause: error });
  }
}
