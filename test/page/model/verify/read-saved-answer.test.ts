import { expect } from 'chai';
import { readSavedAnswer, SAVED_BYTES_MAX, tooLong } from '#page/model/verify/read-saved-answer';

describe('a text that is given to be checked', () => {
  const UNUSABLE: readonly (readonly [title: string, text: string, problem: RegExp])[] = [
    ['is empty', ' \n', /nothing in it/],
    ['is a page of HTML', '<!doctype html><p>502', /HTML/],
    ['begins with headers', 'HTTP/1.1 200 OK\r\n\r\n{}', /headers/],
    ['is cut off', '{"ok":true,"verdict":', /not whole/],
    ['has a name twice', '{"ok":true,"evidence":{"payload":{}},"ok":false}', /the name ok twice/],
    ['is no JSON', 'ok', /not JSON/],
    ['is an array', '[{"evidence":{"payload":{}}}]', /one object/],
    ['is a free example', '{"ok":true,"sandbox":true}', /example/],
    ['is an error', '{"error":"no","code":"rate_limited"}', /error/],
    ['is payment terms', '{"x402Version":2,"accepts":[]}', /payment terms/],
    ['is about a wallet and has no evidence', '{"ok":true,"wallet":"0x00","verdict":"COPY"}', /no evidence/],
    ['is about a wallet in the queue', '{"ok":true,"wallet":"0x00","verdict":"QUEUED"}', /no rating/],
    ['is about a wallet without coverage', '{"ok":true,"wallet":"0x00","verdict":"NO_COVERAGE"}', /no rating/],
    ['is a list', '{"ok":true,"wallets":[{"wallet":"0x00"}]}', /lists are not signed/],
    ['is the evidence alone', '{"payload":{},"jws":"a..b"}', /evidence alone/],
    ['has no evidence', '{"ok":true,"verdict":"OK"}', /no evidence/],
    ['has evidence of another form', '{"evidence":[{"payload":{}}]}', /no evidence/],
  ];
  for (const [title, text, problem] of UNUSABLE) {
    it(`is refused with what to do when it ${title}`, () => {
      const found = readSavedAnswer(text);
      if (found.kind !== 'unusable') return expect.fail(found.kind);
      expect(found.problem).to.match(problem);
      expect(found.next).to.match(/[Ss]ave/);
      return undefined;
    });
  }

  it('is taken with a byte order mark and white space around it', () => {
    expect(readSavedAnswer('\uFEFF {"evidence":{"payload":{}}}\n').kind).to.equal('answer');
  });

  for (const [what, text] of [
    ['an order', '{"ok":true,"sandbox":true,"verdict":"CAUTION"}'],
    ['a wallet', '{"ok":true,"sandbox":true,"wallet":"0x00","verdict":"COPY"}'],
    ['a list', '{"ok":true,"sandbox":true,"wallets":[]}'],
  ] as const) {
    it(`of a free example about ${what} is told to ask without sandbox, and what that costs`, () => {
      const found = readSavedAnswer(text);
      expect(found.kind === 'unusable' && found.next).to.match(
        /^Ask preflight_trade \(0\.02 USDC\) or preflight_copy \(0\.10 USDC\) without sandbox and with evidence=1/,
      );
    });
  }

  it('of a list is told from which answer it can be checked', () => {
    const found = readSavedAnswer('{"ok":true,"wallets":[]}');
    expect(found.kind === 'unusable' && found.next).to.match(/preflight_copy.*evidence=1.*evidence_hash/);
  });

  it('is taken with the evidence of a wallet', () => {
    const text = '{"ok":true,"wallet":"0x00","evidence":{"payload":{"kind":"wallet_rating"},"jws":"a..b"}}';
    expect(readSavedAnswer(text).kind).to.equal('answer');
  });

  it('is not read when it is longer than any answer', () => {
    expect(tooLong(SAVED_BYTES_MAX)).to.equal(null);
    expect(tooLong(SAVED_BYTES_MAX + 1)?.problem).to.match(/9 MB long/);
    expect(readSavedAnswer(`"${'x'.repeat(SAVED_BYTES_MAX)}"`)).to.deep.include({ kind: 'unusable' });
  });
});
