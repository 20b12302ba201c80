import { expect } from 'chai';
import { patientDestination } from '#adapters/process/log-destination';

const again = () => Object.assign(new Error('try again'), { code: 'EAGAIN' });

/** A pipe that has room for so many bytes until it is emptied. */
function pipe(room: number) {
  const taken: string[] = [];
  const pipe = {
    room,
    text: () => taken.join(''),
    write(bytes: Uint8Array): number {
      if (pipe.room === 0) throw again();
      const count = Math.min(pipe.room, bytes.length);
      taken.push(Buffer.from(bytes.subarray(0, count)).toString());
      pipe.room -= count;
      return count;
    },
  };
  return pipe;
}

describe('the destination of the log', () => {
  it('writes each line at once', () => {
    const out = pipe(100);
    const log = patientDestination(out.write);
    log.write('a\n');
    log.write('b\n');
    expect(out.text()).to.equal('a\nb\n');
  });

  it('keeps what a full pipe does not take, in the middle of a line too, and writes it in order later', () => {
    const out = pipe(3);
    const log = patientDestination(out.write);
    log.write('a\n');
    log.write('bcd\n');
    expect(out.text()).to.equal('a\nb');
    out.room = 100;
    log.write('e\n');
    expect(out.text()).to.equal('a\nbcd\ne\n');
  });

  it('writes what it keeps once the pipe has room again, though no other line comes', async () => {
    const out = pipe(3);
    const log = patientDestination(out.write);
    log.write('a\n');
    log.write('bcd\n');
    out.room = 2;
    await log.end(100);
    expect(out.text()).to.equal('a\nbcd');
    out.room = 100;
    await log.end(10_000);
    expect(out.text()).to.equal('a\nbcd\n');
  });

  it('is waited for at the end, and not for ever', async () => {
    const out = pipe(0);
    const log = patientDestination(out.write);
    log.write('last\n');
    await log.end(100);
    expect(out.text()).to.equal('');
    const ended = log.end(10_000);
    out.room = 100;
    await ended;
    expect(out.text()).to.equal('last\n');
  });

  it('drops whole lines beyond its bound', () => {
    const out = pipe(0);
    const log = patientDestination(out.write, 4);
    for (const line of ['a\n', 'b\n', 'c\n']) log.write(line);
    out.room = 100;
    log.write('d\n');
    log.write('e\n');
    expect(out.text()).to.equal('a\nb\ne\n');
  });

  it('bears that the reader is gone', () => {
    const log = patientDestination(() => {
      throw Object.assign(new Error('broken pipe'), { code: 'EPIPE' });
    });
    expect(() => log.write('a\n')).to.not.throw();
  });
});
