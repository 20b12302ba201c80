import { checkService } from './check-service.js';
import { runService } from './run-service.js';

const [option, ...rest] = process.argv.slice(2);

if (option === undefined) runService(process.env);
else if (option === '--check' && rest.length === 0) process.exit(await checkService(process.env));
else {
  process.stderr.write('the service takes no arguments but --check; its settings are environment variables\n');
  process.exit(2);
}
