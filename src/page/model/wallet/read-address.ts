/** Whether this is a wallet whose answers are documented examples, which are free. */
export function isExample(address: string): boolean {
  return /^0x0{39}[1-5]$/.test(address);
}
