import { expect } from 'chai';
import { map } from 'rxjs';
import { type TextProtocol, textSocket$ } from '#streams/text-socket';
import { FakeTextSockets } from '#test/streams/support/fake-text-sockets';
import { testScheduler } from '#test/support/virtual-time';

interface Word {
  readonly kind: 'opened' | 'word';
  readonly text: string;
}

const NOISE = Buffer.from('noise');

/**
 * A channel that greets, is alive while it hears "life", and finds no meaning in "noise". One
 * letter is 1 ms.
 */
const PROTOCOL: TextProtocol<Word> = {
  ping: 'ping',
  intervalMs: 10,
  silentMs: 25,
  lifeSign: 'life',
  isAlive: (word) => word?.text === 'life',
  open: (send) => {
    send('hello');
    return { kind: 'opened', text: '' };
  },
  read: (bytes) => (bytes.equals(NOISE) ? null : { kind: 'word', text: bytes.toString('utf8') }),
};

const SHOWN: Record<string, string> = { o: 'opened', w: 'word', l: 'life', c: 'closed: gone' };

/**
 * Lets the other side do one thing per letter (o opens, w, l and n say word, life and noise, c
 * closes) and shows what is emitted until `untilMs`.
 */
function run(diagram: string, expected: string, untilMs = 200, shown = SHOWN): FakeTextSockets {
  const sockets = new FakeTextSockets();
  const test = testScheduler();
  test.run(({ expectObservable }) => {
    for (const [atMs, letter] of [...diagram].entries()) {
      test.schedule(() => sockets.act({ o: 'open', w: 'word', l: 'life', n: 'noise', c: 'close' }[letter]), atMs);
    }
    const texts$ = textSocket$(sockets.connect, PROTOCOL, test).pipe(
      map((signal) => ('reason' in signal ? `closed: ${signal.reason}` : signal.text || signal.kind)),
    );
    expectObservable(texts$, `${untilMs}ms !`).toBe(expected, shown);
  });
  return sockets;
}

describe('textSocket$', () => {
  it('emits opening, what the texts mean, and closing, and then ends', () => {
    const sockets = run('-o-wnlc', '-o-w-l(c|)');
    expect(sockets.ends).to.have.length(1);
  });

  it('sends what the protocol says on opening', () => {
    expect(run('-o---', '-o---', 5).last.sent).to.deep.equal(['hello']);
  });

  it('sends a ping every period for as long as it shows life', () => {
    const sockets = run('--------l---------l---------l---------', '8ms l 9ms l 9ms l', 40);
    expect(sockets.last.sent).to.deep.equal(['ping', 'ping', 'ping']);
  });

  it('closes when no sign of life came for too long, whatever else is said', () => {
    const shown = { ...SHOWN, s: 'closed: no life for 30 ms' };
    const sockets = run('-w-n-w-n-w-n-w-n-w-n-w-n-w-n', '-w---w---w---w---w---w---w----(s|)', 200, shown);
    expect(sockets.last.sent).to.deep.equal(['ping', 'ping']);
    expect(sockets.last.isClosed).to.equal(true);
  });

  it('closes a connection that never opens', () => {
    run('', '30ms (s|)', 200, { s: 'closed: no life for 30 ms' });
  });

  it('closes the connection when it is unsubscribed, and sends nothing after', () => {
    const sockets = run('-o', '-o', 15);
    expect(sockets.last.isClosed).to.equal(true);
    expect(sockets.last.sent).to.deep.equal(['hello', 'ping']);
  });

  it('connects at each subscription and not before', () => {
    const sockets = new FakeTextSockets();
    const signals$ = textSocket$(sockets.connect, PROTOCOL);
    expect(sockets.ends).to.have.length(0);
    signals$.subscribe().unsubscribe();
    signals$.subscribe().unsubscribe();
    expect(sockets.ends).to.have.length(2);
  });
});
