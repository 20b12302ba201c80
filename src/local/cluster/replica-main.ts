import { runService } from '#server/run-service';

/**
 * A replica of a cluster: the service as `dist/src/main.js` runs it, whose payment terms say that
 * nothing here is real.
 */
runService(process.env, process.argv[2]);
