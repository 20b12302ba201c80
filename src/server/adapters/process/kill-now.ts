/**
 * Ends this process now, whatever it is doing: neither exit handlers nor libraries are waited for.
 */
export function killNow(): void {
  process.kill(process.pid, 'SIGKILL');
}
