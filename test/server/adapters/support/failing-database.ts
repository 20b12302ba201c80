import type { TapeDatabase } from '#adapters/tape/engine/database';

/** An engine whose sessions fail at the n-th statement, as a process ends that is killed there. */
export function failingAt(database: TapeDatabase, n: number): TapeDatabase {
  let statements = 0;
  const count = () => {
    if (statements++ === n) throw new Error('the process would be dead here');
  };
  return {
    ...database,
    session: (work) =>
      database.session((session) =>
        work({
          ...session,
          run: async (sql) => {
            // The lock has to be given up here, as it is when a process dies.
            if (!/^(ATTACH|DETACH)/.test(sql)) count();
            await session.run(sql);
          },
          rows: async (sql) => {
            count();
            return session.rows(sql);
          },
        }),
      ),
  };
}
