import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** As a shell shows the end by SIGPIPE, which Node ignores. */
const READER_GONE = 141

/**
 * Prints results. Whoever reads them may stop before their end, as `head` does: then nobody wants the rest, and the
 * process ends as any command in a pipe does, leaving no unfinished file.
 */
export function printToOutput(text: string): void {
  if (!process.stdout.listeners('error').includes(endIfGone)) process.stdout.on('error', endIfGone)
  process.stdout.write(`${text}\n`)
}

function endIfGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit(READER_GONE)
}

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
