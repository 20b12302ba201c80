import { expect } from 'chai';
import type { VenueAnswer } from '#client/guard/clients/order-call';
import type { GuardContext, ReadyOrder } from '#client/guard/run/context';
import { postTogether } from '#client/guard/run/post';

const ready = ['first', 'second'].map((id) => ({ id, isExit: false }) as ReadyOrder);

/** A guard before a client that says of each answer what it is told to say. */
function guarded() {
  const ended: string[] = [];
  const claims: string[] = [];
  const read = (answer: unknown) => ({ kind: answer === 'no' ? 'rejected' : 'unknown', why: 'so' }) as VenueAnswer;
  const context = {
    options: {},
    client: {
      read,
      readError: () => read(null),
      throwsErrors: () => false,
      refusedAnswer: (rule: string) => ({ rule }),
    },
    record: {
      ended: (id: string, { kind }: VenueAnswer) => ended.push(`${id} ${kind}`),
      quietly: (act: () => void) => act(),
    },
    state: { claims: { lower: (id: string) => claims.push(id) } },
  } as unknown as GuardContext;
  return { context, ended, claims };
}

describe('orders that are posted together', () => {
  it('have each its own answer, in their order, and those that are refused give back their claims', async () => {
    const { context, ended, claims } = guarded();
    expect(await postTogether(context, ready, async () => ['?', 'no'])).to.deep.equal([
      { rule: 'outcome_unknown' },
      'no',
    ]);
    expect([ended, claims]).to.deep.equal([['first unknown', 'second rejected'], ['second']]);
  });

  it('are of unknown outcome, and keep their claims, where fewer or more answers come than there are orders', async () => {
    for (const answers of [['no'], ['no', 'no', 'no'], []]) {
      const { context, ended, claims } = guarded();
      await postTogether(context, ready, async () => answers);
      expect([ended, claims]).to.deep.equal([['first unknown', 'second unknown'], []]);
    }
  });
});
