import type { DiscoveryDocument } from '#discovery/discovery-files';
import type { DoorRequest } from '#doors/request';
import type { Route } from '#doors/route';
import { answerTagged, type Tagged, taggedAnswers } from './tagged.js';

/** GET of each document, with an ETag: a client that has it already gets a 304. */
export function discoveryRoutes(discovery: readonly DiscoveryDocument[]): readonly Route[] {
  return discovery.map((document) => {
    const { path, version } = document;
    let made: (Tagged & { readonly version: string }) | null = null;
    const GET = (req: Pick<DoorRequest, 'headers'>) => {
      const now = version();
      if (made === null || made.version !== now) made = { version: now, ...answersOf(document) };
      return answerTagged(req, made);
    };
    return { path, methods: { GET } };
  });
}

function answersOf({ make }: DiscoveryDocument): Tagged {
  const { cacheSeconds, ...content } = make();
  return taggedAnswers(content, { cacheControl: `public, max-age=${cacheSeconds}` });
}
