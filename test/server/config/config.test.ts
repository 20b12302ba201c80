import { expect } from 'chai';
import { ENV } from '#client/cli/world/world';
import { toChecksum } from '#config/checksum';
import { CLIENT_NAMES, ConfigError, describeConfig, type Env, readConfig, readLocalConfig } from '#config/config';
import { toWallet } from '#domain/ids';
import { newEcKey, newEd25519 } from '#test/support/cdp-keys';

const PAYEE = '0x52908400098527886E0F7030069857D2E4169EE7';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const LIVE: Env = {
  BASE_URL: 'https://preflight.example',
  PAYEE_ADDRESS: PAYEE,
  FACILITATOR_URLS: 'https://one.example/x402, https://two.example/',
  BASE_RPC_URLS: 'https://rpc.example/v2/key-123',
  SUPPORT_EMAIL: 'help@preflight.example',
};

const faultsOf = (read: () => unknown): readonly string[] => {
  try {
    read();
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as ConfigError).faults;
  }
  throw new Error('no fault was found');
};

describe('configuration', () => {
  it('needs five settings in the profile live and defaults the rest', () => {
    expect(readConfig(LIVE)).to.deep.equal({
      profile: 'live',
      host: '127.0.0.1',
      port: 4021,
      baseUrl: 'https://preflight.example',
      trustedProxies: [],
      dataDir: './data',
      keysDir: './data',
      storeUrl: null,
      replicaId: null,
      isScoreboardOn: true,
      metrics: null,
      venue: {
        gammaUrl: 'https://gamma-api.polymarket.com',
        clobUrl: 'https://clob.polymarket.com',
        wsUrl: 'wss://ws-subscriptions-clob.polymarket.com/ws/market',
        dataUrl: 'https://data-api.polymarket.com',
        rtdsUrl: 'wss://ws-live-data.polymarket.com',
      },
      payee: toWallet(PAYEE),
      usdc: toWallet(USDC),
      facilitatorUrls: ['https://one.example/x402', 'https://two.example'],
      cdpKey: null,
      baseRpcUrls: ['https://rpc.example/v2/key-123'],
      explorerUrl: 'https://basescan.org',
      walletJobs: 'auto',
      demoMarkets: [],
      supportEmail: 'help@preflight.example',
      logLevel: 'info',
    });
    expect(faultsOf(() => readConfig({}))).to.have.length(5);
  });

  it('takes at most five slugs of markets to watch for free', () => {
    const read = (text: string) => readConfig({ ...LIVE, DEMO_MARKETS: text }).demoMarkets;
    expect(read('one-market, another')).to.deep.equal(['one-market', 'another']);
    for (const wrong of ['a,b,c,d,e,f', 'https://venue.example/event/a', 'a,,b']) {
      expect(faultsOf(() => read(wrong)).length, wrong).to.be.above(0);
    }
    expect(faultsOf(() => read('a, b,a'))).to.deep.equal(['DEMO_MARKETS names a market twice']);
  });

  it('takes addresses and networks of proxies, and nothing else', () => {
    const read = (text: string) => readConfig({ ...LIVE, TRUSTED_PROXIES: text }).trustedProxies;
    expect(read('10.0.0.0/8, ::1,192.0.2.7')).to.deep.equal(['10.0.0.0/8', '::1', '192.0.2.7']);
    for (const text of ['10.0.0.0/33', '::1/129', 'proxy.example', '10.0.0.0/8/8', '10.0.0.0/', '1.2.3.4,']) {
      expect(
        faultsOf(() => read(text)),
        text,
      ).to.have.length(1);
      expect(faultsOf(() => read(text))[0]).to.match(/^TRUSTED_PROXIES must be IP addresses or networks/);
    }
  });

  it('tells all faults at once, each by its name and with what to do', () => {
    const faults = faultsOf(() =>
      readConfig({
        ...LIVE,
        PORT: '70000',
        BASE_URL: 'ftp://x',
        STORE_URL: 'postgres://user:secret@db',
        VENUE_WS_URL: 'https://x',
        PAYEE_ADDRESS: '0x52908400098527886E0F7030069857D2E4169eE7',
        FACILITATOR_URLS: 'https://one.example,nonsense',
        CDP_API_KEY_ID: 'id',
        SUPPORT_EMAIL: 'nobody',
        LOG_LEVEL: 'loud',
        PREFLIGHT_PROFLE: 'live',
      }),
    );
    const names = faults.map((fault) => fault.split(' ')[0]);
    expect(names.sort()).to.deep.equal(
      [
        'BASE_URL',
        'CDP_API_KEY_ID',
        'FACILITATOR_URLS',
        'LOG_LEVEL',
        'PAYEE_ADDRESS',
        'PORT',
        'PREFLIGHT_PROFLE',
        'STORE_URL',
        'SUPPORT_EMAIL',
        'VENUE_WS_URL',
      ].sort(),
    );
    expect(faults.join()).to.include('postgres://user:password').and.not.include('secret');
  });

  it('takes an empty value for none', () => {
    expect(readConfig({ ...LIVE, PORT: '', HOST: ' ', STORE_URL: '', PREFLIGHT_PROFILE: '' }).port).to.equal(4021);
    expect(faultsOf(() => readConfig({ ...LIVE, PAYEE_ADDRESS: '' }))).to.have.length(1);
  });

  it('leaves alone what a caller sets in the same shell for the client', () => {
    expect([...CLIENT_NAMES]).to.have.members(Object.values(ENV));
    const set = Object.fromEntries(Object.values(ENV).map((name) => [name, 'x']));
    expect(readConfig({ ...LIVE, ...set })).to.deep.equal(readConfig(LIVE));
  });

  it('refuses settings of its own prefix that it does not know, and leaves all others alone', () => {
    expect(faultsOf(() => readConfig({ ...LIVE, PREFLIGHT_PORT: '1' }))[0]).to.include('PREFLIGHT_PORT is not known');
    expect(readConfig({ ...LIVE, PATH: '/bin', PORTS: 'x' }).port).to.equal(4021);
  });

  it('takes the URL of a database, and shows it without its secrets', () => {
    for (const STORE_URL of ['redis://x/y', 'postgres://x', 'postgres:///y', 'x']) {
      expect(faultsOf(() => readConfig({ ...LIVE, STORE_URL }))[0], STORE_URL).to.include('postgres://user:password');
    }
    const config = readConfig({ ...LIVE, STORE_URL: 'postgresql://u:secret@db:6432/x?sslpassword=secret' });
    expect(describeConfig(config).storeUrl).to.equal('postgresql://u:***@db:6432/x');
    expect(readConfig(LIVE)).to.include({ storeUrl: null, keysDir: './data', replicaId: null });
  });

  it('finds the keys where KEYS_DIR says, and else beside the data', () => {
    expect(readConfig({ ...LIVE, KEYS_DIR: '/keys', DATA_DIR: '/d' }).keysDir).to.equal('/keys');
    expect(readConfig({ ...LIVE, DATA_DIR: '/d' }).keysDir).to.equal('/d');
    expect(faultsOf(() => readConfig({ ...LIVE, REPLICA_ID: 'a b' }))[0]).to.match(/^REPLICA_ID must be/);
  });

  it('derives the public address, and needs it where the port is not known yet', () => {
    expect(readLocalConfig({ HOST: '0.0.0.0', PORT: '80' }).baseUrl).to.equal('http://127.0.0.1:80');
    expect(readLocalConfig({ HOST: '::1' }).baseUrl).to.equal('http://[::1]:4021');
    expect(readConfig({ ...LIVE, BASE_URL: 'https://preflight.example/' }).baseUrl).to.equal(
      'https://preflight.example',
    );
    expect(faultsOf(() => readLocalConfig({ PORT: '0' }))[0]).to.include('BASE_URL');
    expect(readLocalConfig({ PORT: '0', BASE_URL: 'http://x' }).port).to.equal(0);
  });

  it('writes URLs as clients compare them, whatever the spelling and the blanks around them', () => {
    for (const BASE_URL of [
      'https://Preflight.Example',
      'https://preflight.example:443/',
      ' https://preflight.example\r',
    ]) {
      expect(readConfig({ ...LIVE, BASE_URL }).baseUrl, BASE_URL).to.equal('https://preflight.example');
    }
    const config = readConfig({
      ...LIVE,
      VENUE_WS_URL: 'wss://Venue.Example/ws/Market ',
      BASE_RPC_URLS: 'https://rpc.example/?Key=A',
    });
    expect(config.venue.wsUrl).to.equal('wss://venue.example/ws/Market');
    expect(config.baseRpcUrls).to.deep.equal(['https://rpc.example/?Key=A']);
  });

  it('needs a public address in the profile live, of https except on loopback', () => {
    expect(faultsOf(() => readConfig({ ...LIVE, BASE_URL: '' }))).to.deep.equal([
      'BASE_URL is required in the profile live',
    ]);
    for (const BASE_URL of ['http://preflight.example', 'http://127.0.0.1.example', 'http://10.0.0.1:4021']) {
      expect(
        faultsOf(() => readConfig({ ...LIVE, BASE_URL })),
        BASE_URL,
      ).to.deep.equal(['BASE_URL must be https in the profile live, except on loopback']);
    }
    for (const BASE_URL of ['http://127.0.0.1:4021', 'http://localhost', 'http://[::1]:8080', 'https://10.0.0.1']) {
      expect(readConfig({ ...LIVE, BASE_URL }).baseUrl).to.equal(BASE_URL);
    }
  });

  it('takes no query in a URL that paths are added to, and no endpoint twice', () => {
    const query = 'must be without a query: paths are added to it';
    for (const name of ['BASE_URL', 'VENUE_GAMMA_URL', 'VENUE_CLOB_URL', 'VENUE_DATA_URL', 'EXPLORER_URL']) {
      expect(faultsOf(() => readConfig({ ...LIVE, [name]: 'https://one.example/?a=1' }))).to.deep.equal([
        `${name} ${query}`,
      ]);
    }
    expect(
      faultsOf(() => readConfig({ ...LIVE, FACILITATOR_URLS: 'https://one.example/x,https://two.example/?key=1' })),
    ).to.deep.equal([`FACILITATOR_URLS ${query}`]);
    const keyed = 'https://rpc.example/?key=1';
    expect(readConfig({ ...LIVE, BASE_RPC_URLS: keyed }).baseRpcUrls).to.deep.equal([keyed]);
    for (const name of ['FACILITATOR_URLS', 'BASE_RPC_URLS']) {
      const twice = 'https://one.example/a, https://one.example/a/';
      expect(faultsOf(() => readConfig({ ...LIVE, [name]: twice }))).to.deep.equal([`${name} names a URL twice`]);
    }
  });

  it('takes no fragment in a URL, and no query where paths are added, also where they are empty', () => {
    const SCHEMES = { BASE_URL: 'https', VENUE_WS_URL: 'wss', FACILITATOR_URLS: 'https', BASE_RPC_URLS: 'https' };
    for (const [name, scheme] of Object.entries(SCHEMES)) {
      for (const end of ['#', '/#', '/?#', '/#a']) {
        const [fault = ''] = faultsOf(() => readConfig({ ...LIVE, [name]: `${scheme}://one.example${end}` }));
        expect(fault, end).to.include(name).and.include('URL without user or fragment');
      }
    }
    for (const end of ['?', '/?', '/a?']) {
      expect(
        faultsOf(() => readConfig({ ...LIVE, BASE_URL: `https://one.example${end}` })),
        end,
      ).to.deep.equal(['BASE_URL must be without a query: paths are added to it']);
    }
  });

  it('takes addresses and host names to listen at, and says of all else what to write', () => {
    for (const host of ['0.0.0.0', '::', '::1', 'fe80::1%eth0', 'localhost', 'node-7.preflight.example', 'a1']) {
      const config = readConfig({ ...LIVE, HOST: host, METRICS_HOST: ` ${host}\r`, METRICS_PORT: '9464' });
      expect([config.host, config.metrics?.host]).to.deep.equal([host, host]);
    }
    for (const wrong of [
      '"127.0.0.1"',
      '127.0.0.1:4021',
      '[::1]',
      'http://127.0.0.1',
      'one two',
      '300.1.1.1',
      '127.1',
      '4021',
      'host.',
      '-a',
    ]) {
      const must = 'must be an IP address like 127.0.0.1 or ::1, or a host name: no scheme, port, brackets or quotes';
      expect(
        faultsOf(() => readConfig({ ...LIVE, HOST: wrong, METRICS_HOST: wrong })),
        wrong,
      ).to.deep.equal([`HOST ${must}`, `METRICS_HOST ${must}`]);
    }
  });

  it('takes no port for two servers at one address', () => {
    const faults = (env: Env) => faultsOf(() => readConfig({ ...LIVE, PORT: '4021', METRICS_PORT: '4021', ...env }));
    expect(faults({})).to.deep.equal(['METRICS_PORT must be another than PORT']);
    expect(faults({ HOST: '0.0.0.0' })).to.have.length(1);
    expect(faults({ HOST: '192.0.2.7', METRICS_HOST: '::' })).to.have.length(1);
    for (const env of [{ METRICS_PORT: '9464' }, { HOST: '192.0.2.7' }, { PORT: '0', METRICS_PORT: '0' }]) {
      readConfig({ ...LIVE, PORT: '4021', METRICS_PORT: '4021', ...env });
    }
  });

  it('takes an address with or without its checksum, and writes it with', () => {
    for (const PAYEE_ADDRESS of [PAYEE, PAYEE.toLowerCase()]) {
      const config = readConfig({ ...LIVE, PAYEE_ADDRESS });
      expect(config.payee).to.equal(toWallet(PAYEE));
      expect([toChecksum(config.payee), toChecksum(config.usdc)]).to.deep.equal([PAYEE, USDC]);
      expect(describeConfig(config)).to.include({ payee: PAYEE, usdc: USDC });
    }
  });

  it('takes nobody and the token itself for no payee, where what is paid would be lost', () => {
    const nobody = `0x${'0'.repeat(40)}`;
    const own = 'must be an address that you can spend from';
    expect(faultsOf(() => readConfig({ ...LIVE, PAYEE_ADDRESS: nobody }))).to.deep.equal([
      `PAYEE_ADDRESS ${own}: what is paid to the zero address is lost`,
    ]);
    const token = `PAYEE_ADDRESS ${own}: it is USDC_ADDRESS, the contract of the token`;
    expect(faultsOf(() => readConfig({ ...LIVE, PAYEE_ADDRESS: USDC }))).to.deep.equal([token]);
    const both = { PAYEE_ADDRESS: PAYEE, USDC_ADDRESS: PAYEE.toLowerCase() };
    expect(faultsOf(() => readConfig({ ...LIVE, ...both }))).to.deep.equal([token]);
    expect(faultsOf(() => readLocalConfig({ PAYEE_ADDRESS: USDC }))).to.deep.equal([token]);
  });

  it('leaves venue and payee to the embedded ones under npm start, unless all of the venue is named', () => {
    const config = readLocalConfig({});
    expect(config).to.include({ profile: 'local', venue: null, payee: null });
    expect(config.facilitatorUrls).to.deep.equal([]);
    const named = {
      VENUE_GAMMA_URL: 'http://127.0.0.1:1',
      VENUE_CLOB_URL: 'http://127.0.0.1:2',
      VENUE_WS_URL: 'ws://127.0.0.1:3/ws/market',
      VENUE_DATA_URL: 'http://127.0.0.1:4',
      VENUE_RTDS_URL: 'ws://127.0.0.1:5',
    };
    expect(readLocalConfig({ ...named, PAYEE_ADDRESS: PAYEE })).to.deep.include({
      venue: {
        gammaUrl: 'http://127.0.0.1:1',
        clobUrl: 'http://127.0.0.1:2',
        wsUrl: 'ws://127.0.0.1:3/ws/market',
        dataUrl: 'http://127.0.0.1:4',
        rtdsUrl: 'ws://127.0.0.1:5',
      },
      payee: toWallet(PAYEE),
    });
    expect(faultsOf(() => readLocalConfig({ VENUE_CLOB_URL: 'http://x' }))).to.have.length(4);
    expect(faultsOf(() => readLocalConfig({ PREFLIGHT_PROFILE: 'live' }))[0]).to.include(
      'dist/bundle/service/main.cjs',
    );
    expect(readConfig({ ...named, PAYEE_ADDRESS: PAYEE, PREFLIGHT_PROFILE: 'local' }).profile).to.equal('local');
    expect(faultsOf(() => readConfig({ PREFLIGHT_PROFILE: 'local' }))).to.have.length(6);
  });

  it('refuses what cannot be a key of CDP, beside all other faults and without repeating it', () => {
    const damaged = Buffer.from(newEd25519().secret, 'base64');
    damaged[40]! ^= 1;
    const otherCurve = newEcKey('secp256k1').secret;
    const wrong = ['canary', damaged.toString('base64'), otherCurve, '-----BEGIN EC PRIVATE KEY-----\ncanary\n'];
    for (const CDP_API_KEY_SECRET of wrong) {
      const faults = faultsOf(() => readConfig({ ...LIVE, CDP_API_KEY_ID: 'id', CDP_API_KEY_SECRET, LOG_LEVEL: 'x' }));
      expect(faults).to.have.length(2);
      expect(faults[0]).to.equal(
        'CDP_API_KEY_SECRET is neither an Ed25519 key (base64 of 64 bytes) nor an EC P-256 key in PEM',
      );
    }
    const pem = newEcKey('prime256v1').secret;
    for (const CDP_API_KEY_SECRET of [newEd25519().secret, pem, pem.replaceAll('\n', '\\n')]) {
      expect(readConfig({ ...LIVE, CDP_API_KEY_ID: 'id', CDP_API_KEY_SECRET }).cdpKey).to.include({ id: 'id' });
    }
  });

  it('masks secrets where it describes itself', () => {
    const { secret } = newEd25519();
    const config = readConfig({ ...LIVE, CDP_API_KEY_ID: 'id-1', CDP_API_KEY_SECRET: secret });
    const text = JSON.stringify(describeConfig(config));
    expect(text).to.include('id-1').and.include('https://rpc.example/***').and.include(PAYEE);
    expect(text).not.to.include(secret).and.not.include('key-123');
  });
});
