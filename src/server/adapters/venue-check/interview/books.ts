import type { Clock } from '#system/clock';
import { type Answer, type Asker, NotAsked } from '../asker.js';
import { TERMS_LOOKED_AT } from '../limits.js';
import { RestBooks } from '../rest-books.js';
import type { askCatalog, Listed } from './catalog.js';
import { once } from './once.js';
import { UNKNOWN_CONDITION, UNKNOWN_TOKEN, unknownTokens } from './strangers.js';

/** More than the venue takes in one question. */
const TOO_MANY = 501;
/** Markets without fees among those whose terms are asked for. */
const FREE_LOOKED_AT = 3;

/** The terms of a market by the CLOB beside what Gamma says of it. */
interface Terms extends Listed {
  readonly answer: Answer;
}

/** What the CLOB is asked. */
export function askBooks(asker: Asker, catalog: ReturnType<typeof askCatalog>, clock: Clock) {
  const get = (name: string, path: string) => once(() => asker.get('clob', name, path));
  const post = (name: string, tokens: readonly string[]) =>
    asker.post(
      'clob',
      name,
      '/books',
      tokens.map((token) => ({ token_id: token })),
    );

  const books = once(async () => {
    const tokens = (await catalog.tradable()).flatMap(({ market }) => market.outcomes.map(({ tokenId }) => tokenId));
    return post('clob-books', [...tokens, UNKNOWN_TOKEN]);
  });
  return {
    books,
    restBooks: once(async () => {
      const { body, status } = await books();
      if (Array.isArray(body)) return new RestBooks(body);
      throw new NotAsked(`the CLOB answered ${status} with something other than a list of books`);
    }),
    tooManyBooks: once(() => post('clob-too-many', unknownTokens(TOO_MANY))),
    /** The first book of the list, asked for by itself. */
    book: once(async () => {
      const { market } = (await catalog.tradable())[0]!;
      const { tokenId } = market.outcomes[0]!;
      return { tokenId, answer: await asker.get('clob', 'clob-book', `/book?token_id=${tokenId}`) };
    }),
    unknownBook: get('clob-unknown-book', `/book?token_id=${UNKNOWN_TOKEN}`),
    malformedBook: get('clob-malformed', '/book?token_id=none'),
    unknownTerms: get('clob-unknown-terms', `/clob-markets/${UNKNOWN_CONDITION}`),
    terms: once(async () => {
      const found: Terms[] = [];
      for (const listed of mixed(await catalog.tradable())) {
        const answer = await asker.get('clob', 'clob-terms', `/clob-markets/${listed.market.conditionId}`);
        found.push({ ...listed, answer });
      }
      return found;
    }),
    endedBook: once(async () => {
      const { token } = (await catalog.ended())[0]!;
      return asker.get('clob', 'clob-ended-book', `/book?token_id=${token}`);
    }),
    endedMarket: once(async () => {
      const { condition } = (await catalog.ended())[0]!;
      return { condition, answer: await asker.get('clob', 'clob-ended-market', `/markets/${condition}`) };
    }),
    time: once(async () => ({ answer: await asker.get('clob', 'clob-time', '/time'), atMs: clock.nowMs() })),
  };
}

/** The busiest markets, with some among them that take no fee. */
function mixed(listed: readonly Listed[]): readonly Listed[] {
  const free = listed.filter(({ raw }) => raw.feesEnabled === false).slice(0, FREE_LOOKED_AT);
  const others = listed.filter((one) => !free.includes(one));
  return [...free, ...others].slice(0, TERMS_LOOKED_AT);
}
