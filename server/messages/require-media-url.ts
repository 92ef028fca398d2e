import { isMedia, type MessageContent } from '#server/core/message.ts';
import { checkMediaUrl } from '#server/platform/media/vet-url.ts';
import { allowedMediaHosts } from '#server/sandbox/media-hosts.ts';
import { settings } from '#server/settings.ts';

/**
 * Refuses, before anything is accepted, a media URL that would never be fetched because of its form, its port or
 * an address that is not public. Throws `invalid_parameters` or `media_unusable`.
 */
export function requireMediaUrl(content: MessageContent): void {
  if (isMedia(content)) {
    checkMediaUrl(content.url, { allowHosts: allowedMediaHosts(), ports: settings.mediaPorts });
  }
}
