import { expect } from 'chai';
import { createLogger } from '#server/log';

describe('log', () => {
  const written = (level: string, write: (log: ReturnType<typeof createLogger>) => void) => {
    const lines: string[] = [];
    write(createLogger(level, { write: (line) => void lines.push(line) }));
    return lines;
  };

  it('writes one JSON line per event, with its time', () => {
    const [line = '', ...more] = written('info', (log) => log.info({ requestId: 'r' }, 'answered'));
    expect(more).to.deep.equal([]);
    const event = JSON.parse(line);
    expect(event).to.include({ level: 30, requestId: 'r', msg: 'answered' });
    expect(new Date(event.time).toISOString()).to.equal(event.time);
    expect(event).to.have.all.keys('level', 'time', 'requestId', 'msg');
  });

  it('keeps to its level', () => {
    expect(written('warn', (log) => log.info('quiet'))).to.deep.equal([]);
    expect(written('silent', (log) => log.fatal('quiet'))).to.deep.equal([]);
  });

  it('never writes a secret that an object carries by name', () => {
    const secrets = {
      authorization: 'canary',
      'payment-signature': 'canary',
      'x-payment': 'canary',
      token: 'canary',
      secret: 'canary',
    };
    const lines = written('info', (log) => {
      log.info(secrets, 'top');
      log.info({ headers: secrets }, 'second');
      log.info({ req: { headers: secrets } }, 'third');
      log.child({ token: 'canary' }).info('child');
    });
    expect(lines).to.have.length(4);
    expect(lines.join('')).not.to.include('canary');
  });
});
