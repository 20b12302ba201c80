// Pays a request with the client of ./payers that is named, `times` times as after a lost answer, and
// prints what came of each. The argument is JSON: payer, url, init, privateKey, rpc, times.
const { payer, url, init, times, ...wallet } = JSON.parse(process.argv[2]);
const { open } = await import(`./payers/${payer}.mjs`);
const pay = await open(wallet);
const answers = [];
for (let n = 0; n < times; n++) answers.push(await pay(url, init));
console.log(JSON.stringify(answers));
process.exit(0);
