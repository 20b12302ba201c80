import { expect } from 'chai';
import express from 'express';
import { trustProxies } from '#http/limits/trusted-proxies';

const PROXIES = ['127.0.0.1', '10.1.0.0/16', '2001:db8::/32', 'loopback'];
const ADDRESSES = [
  '127.0.0.1',
  '127.0.0.2',
  '::ffff:127.0.0.1',
  '10.1.2.3',
  '10.2.0.1',
  '::ffff:10.1.2.3',
  '2001:db8::1',
  '2001:db9::1',
  '::1',
  'fe80::1%eth0',
  '198.51.100.7:1234',
  'unknown',
  '',
];

describe('whether an address is a trusted proxy', () => {
  it('is what Express finds, the first time and each time after it', () => {
    const app = express();
    app.set('trust proxy', PROXIES);
    const expected = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
    const isProxy = trustProxies(express(), PROXIES);
    for (let time = 0; time < 2; time++) {
      for (const address of ADDRESSES) expect(isProxy(address), address).to.equal(expected(address, 0));
    }
  });

  it('is asked by Express itself from then on', () => {
    const app = express();
    const isProxy = trustProxies(app, PROXIES);
    expect(app.get('trust proxy fn')).to.equal(isProxy);
  });
});
