import { expect } from 'chai';
import { Preflight, type PreflightOptions } from '#client/index';

const BASE = { baseUrl: 'http://127.0.0.1:1' };
const TOKEN = `tk_0x${'a'.repeat(40)}_${'s'.repeat(43)}`;

/** As a program in JavaScript passes on what its environment holds. */
const open = (options: object) => new Preflight({ ...BASE, ...options } as PreflightOptions);

describe('the SDK with the address of a service', () => {
  it('takes none with a query or a fragment, behind which no path can be written', () => {
    for (const end of ['?a=b', '/x?', '#a'])
      expect(() => open({ baseUrl: `${BASE.baseUrl}${end}` })).to.throw(
        TypeError,
        /^the address of the service has a query or a fragment: write http:\/\/127\.0\.0\.1:1\/x?$/,
      );
    expect(open({ baseUrl: `${BASE.baseUrl}/x/` }).lane).to.equal('sandbox');
  });
});

describe('the SDK with credentials of the environment', () => {
  it('is not opened for examples where the variable of a token or an account is not set', () => {
    for (const unset of [{ token: undefined }, { account: undefined }, { token: undefined, account: undefined }])
      expect(() => open(unset)).to.throw(TypeError, 'is undefined: set it, or leave the member out for free examples');
  });

  it('is opened with one that is set beside one that is not', () => {
    expect(open({ token: TOKEN, account: undefined }).lane).to.equal('credits');
  });

  it('is opened for examples where none is named', () => {
    expect(open({}).lane).to.equal('sandbox');
  });
});
