import { describeStore } from '#test/contract/store.contract';
import { postgresFixtures } from '#test/contract/support/postgres-fixture';
import { postgresServer } from '#test/support/postgres';

describe('PostgreSQL', () => {
  describeStore('PostgreSQL', postgresFixtures(postgresServer()));
});
