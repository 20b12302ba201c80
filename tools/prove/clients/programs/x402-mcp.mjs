// Pays a verdict with x402-mcp around the client of @ai-sdk/mcp, and prints the text of the answer.
// Its wallet speaks version 1, and a model writes the terms into its tool: here they are written as a
// model would. The argument is JSON: url (streamable HTTP), privateKey, args.
import { createMCPClient } from '@ai-sdk/mcp';
import { privateKeyToAccount } from 'viem/accounts';
import { withPayment } from 'x402-mcp/client';

const { url, privateKey, args } = JSON.parse(process.argv[2]);
const account = privateKeyToAccount(privateKey);
const client = await withPayment(await createMCPClient({ transport: { type: 'http', url } }), {
  account,
  network: 'base',
});
const tools = await client.tools();
const call = (name, input) => tools[name].execute(input, { toolCallId: '1', messages: [] });
const textOf = ({ content }) => content.find(({ type }) => type === 'text').text;

const { resource, accepts } = JSON.parse(textOf(await call('preflight_trade', args)));
const { amount, ...terms } = accepts[0];
const paymentRequirements = {
  ...terms,
  network: 'base',
  maxAmountRequired: amount,
  resource: resource.url,
  description: resource.description,
  mimeType: resource.mimeType,
};
const { paymentAuthorization } = await call('generatePaymentAuthorization', { paymentRequirements });
console.log(JSON.stringify(textOf(await call('preflight_trade', { ...args, paymentAuthorization }))));
process.exit(0);
