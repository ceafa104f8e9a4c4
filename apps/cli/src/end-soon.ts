/** How long what could not be closed may keep a process alive, in milliseconds. */
const LINGER_MS = 1000

/** Ends the process soon, whatever is still open in it: a connection to a server that hangs, a thread that works. */
export function endSoon(): void {
  setTimeout(() => process.exit(), LINGER_MS).unref()
}
