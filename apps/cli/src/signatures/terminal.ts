import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** One line on a terminal that each call writes over; an empty one clears it. Nothing where nobody watches. */
export function progressOnTerminal(line: string): void {
  if (!process.stderr.isTTY) return
  const width = (process.stderr.columns ?? 80) - 1
  process.stderr.write(`\r\u001b[K${line.slice(0, width)}`)
}

/** Asks for a secret without showing what is typed; undefined when nobody is there to answer. */
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
