import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { type Checkout, openCheckout, writeTapeFiles } from './checkout.js';
import { compare, readEntries, reportOf } from './compare.js';
import { startGoldenMoney } from './money.js';
import { withoutNoise } from './noise.js';
import { type Entries, Recording } from './recording.js';
import { askCredits, openCredits } from './requests/credits.js';
import { askDocuments } from './requests/documents.js';
import { askMcp } from './requests/mcp.js';
import { askOrders } from './requests/orders.js';
import { askPayments } from './requests/payments.js';
import { askProtocol } from './requests/protocol.js';
import { askWallets } from './requests/wallets.js';
import { startGoldenVenue } from './venue.js';

interface Options {
  readonly checkout?: string;
  readonly out: string;
  readonly against?: string;
}

/**
 * Records what the built service of a checkout answers at all its doors, whole, and compares it
 * with an earlier recording: after work that must not change behavior the two are identical. The
 * venue, the money and the calendar are fixed.
 */
async function main(): Promise<void> {
  const options = new Command('golden')
    .option('--checkout <dir>', 'a checkout with a built dist/; without it nothing is recorded')
    .requiredOption('--out <file>', 'where the recording goes')
    .option('--against <file>', 'an earlier recording to compare with; differences end the command with code 1')
    .parse()
    .opts<Options>();
  if (options.checkout !== undefined) {
    const recorded = withoutNoise(await record(openCheckout(options.checkout)));
    writeFileSync(options.out, `${JSON.stringify(recorded, null, 1)}\n`);
    console.log(`${Object.keys(recorded).length} answers recorded in ${options.out}`);
  }
  if (options.against === undefined) return;
  const entries = readEntries(options.out);
  const found = compare(readEntries(options.against), entries);
  console.log(reportOf(found, Object.keys(entries).length));
  if (found.entries > 0) process.exitCode = 1;
}

async function record(checkout: Checkout): Promise<Entries> {
  const [venue, money] = [await startGoldenVenue(), await startGoldenMoney()];
  try {
    await rateWallets(checkout);
    const port = await checkout.start({
      PREFLIGHT_PROFILE: 'live',
      HOST: '127.0.0.1',
      PORT: '0',
      BASE_URL: 'https://preflight.example',
      SUPPORT_EMAIL: 'support@preflight.example',
      WALLET_JOBS: 'off',
      ...venue.env,
      ...money.env,
    });
    const recording = new Recording(port, checkout);
    const token = await openCredits(recording);
    await askDocuments(recording);
    await askProtocol(recording);
    await askOrders(recording, token);
    await askWallets(recording, token, venue);
    await askMcp(recording, token);
    await askCredits(recording, token);
    await askPayments(recording);
    return recording.entries();
  } finally {
    await checkout.stop();
    venue.close();
    money.close();
  }
}

/** Puts a board in force. */
async function rateWallets(checkout: Checkout): Promise<void> {
  const { fills, markets } = writeTapeFiles(checkout);
  for (const args of [
    ['tape', 'import', '--fills', fills, '--markets', markets],
    ['ratings', 'run'],
  ]) {
    const { exitCode, stderr } = await checkout.preflight(...args);
    if (exitCode !== 0) throw new Error(`preflight ${args.join(' ')} failed:\n${stderr}`);
  }
}

await main();
