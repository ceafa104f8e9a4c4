import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Refused, Source } from '../sources/source.ts'
import { overTextOf, PRODUCT } from './page-frame.ts'
import type { Say } from './texts.ts'

/** A terminal with somebody at it. */
export interface Terminal {
  write(text: string): void
  /** A typed line; undefined when the user cancelled. */
  ask(
    question: string,
    options: { readonly secret: boolean; readonly signal?: AbortSignal },
  ): Promise<string | undefined>
}

/** The terminal this program runs in; undefined without one. */
export function ownTerminal(): Terminal | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  return { write: (text) => void process.stderr.write(text), ask: askHere }
}

async function askHere(
  question: string,
  { secret, signal }: { readonly secret: boolean; readonly signal?: AbortSignal },
): Promise<string | undefined> {
  process.stderr.write(question)
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: secret ? silence : process.stderr, terminal: true })
  try {
    return await reader.question('', signal ? { signal } : {})
  } catch {
    return undefined // cancelled, or end of input
  } finally {
    reader.close()
    if (secret) process.stderr.write('\n')
  }
}

/** A question whose answer is a PIN, as a terminal asks it. */
interface PinQuestion<Choice extends { readonly source: Source }> {
  readonly signal: AbortSignal
  readonly choices: readonly Choice[]
  attempt(choice: Choice, typed: string, finalTry: boolean): Promise<'accepted' | 'approved' | 'over' | Refused>
  decline(): void
}

/** What a line at the terminal answers; undefined, and a sentence that says why, once nobody waits for it any more. */
async function answered(
  { signal }: { readonly signal: AbortSignal },
  terminal: Terminal,
  say: Say,
  [text, secret]: readonly [string, boolean],
): Promise<string | undefined> {
  const typed = await terminal.ask(text, { secret, signal })
  if (!signal.aborted) return typed
  terminal.write(`${say(overTextOf(signal))}\n`)
  return undefined
}

/** Asks a holder at the terminal, until there is an answer. */
export async function askAtTerminal<Choice extends { readonly source: Source }>(
  question: PinQuestion<Choice>,
  introduction: readonly string[],
  terminal: Terminal,
  say: Say,
): Promise<void> {
  terminal.write(`\n${[PRODUCT, ...introduction].join('\n')}\n`)
  while (!question.signal.aborted) {
    const choice = await chosen(question, terminal, say)
    if (!choice || !(await attempted(question, choice, terminal, say))) break
  }
  // An empty line declines; this has no effect on a prompt that has its answer already.
  question.decline()
}

/** The choices, numbered where there are several. */
export const numbered = (names: readonly string[]): readonly string[] =>
  names.length === 1 ? names : names.map((name, index) => `${index + 1}. ${name}`)

async function chosen<Choice extends { readonly source: Source }>(
  question: PinQuestion<Choice>,
  terminal: Terminal,
  say: Say,
): Promise<Choice | undefined> {
  const { choices } = question
  if (choices.length === 1) return choices[0]
  const number = await answered(question, terminal, say, [say('terminal-choice'), false])
  return choices[Number(number) - 1]
}

/** True when the holder may try again. */
async function attempted<Choice extends { readonly source: Source }>(
  question: PinQuestion<Choice>,
  choice: Choice,
  terminal: Terminal,
  say: Say,
): Promise<boolean> {
  const { source } = choice
  const state = await source.pinState()
  if (state !== 'fine') terminal.write(`${say(state)}\n`)
  if (state === 'locked') return false
  if (state === 'final-try' && !isYes(await answered(question, terminal, say, [say('terminal-final-try'), false])))
    return false
  const pin = await answered(question, terminal, say, [say('terminal-pin', { place: source.name }), true])
  if (!pin) return false
  const outcome = await question.attempt(choice, pin, state === 'final-try')
  if (typeof outcome === 'string') {
    terminal.write(`${say(outcome)}\n`)
    return false
  }
  terminal.write(`${outcome.kind === 'failed' ? say('failed', outcome) : say(outcome.kind)}\n`)
  return true
}

const isYes = (answer: string | undefined): boolean => /^(sim|yes)$/i.test(answer?.trim() ?? '')
