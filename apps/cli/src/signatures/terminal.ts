import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Shows one line on a terminal, overwriting the last; an empty line clears it. Does nothing without a terminal. */
export function progressOnTerminal(line: string): void {
  if (!process.stderr.isTTY) return
  const width = (process.stderr.columns ?? 80) - 1
  process.stderr.write(`\r\u001b[K${line.slice(0, width)}`)
}

/** Asks for a secret without echoing it; undefined when no terminal is attached. */
export async function askSecretOnTerminal(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  process.stderr.write(question)
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: silence, terminal: true })
  try {
    return await reader.question('')
  } finally {
    reader.close()
    process.stderr.write('\n')
  }
}
