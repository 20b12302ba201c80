import { describeStore } from '#test/contract/store.contract';
import { postgresHomes } from '#test/contract/support/postgres-home';
import { postgresServer } from '#test/support/postgres';

describe('PostgreSQL', () => {
  describeStore('PostgreSQL', postgresHomes(postgresServer()));
});
