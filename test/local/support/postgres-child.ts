import { startEmbeddedPostgres } from '#local/postgres/embedded';

/** A process of its own with a PostgreSQL: `node postgres-child.js FOLDER ends|stays`. */
const [folder = '', how = ''] = process.argv.slice(2);
const started = await startEmbeddedPostgres({ folder });
if (started.kind === 'absent') throw new Error(started.why);
console.log(started.server.pid);
if (how === 'stays') setInterval(() => undefined, 1_000);
