import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { formatDate } from '@chancela/service-kernel/i18n'
import { formattedCpf, holderOf } from '@chancela/signature-engine/x509'
import type { Choice, Prompt } from './prompt.ts'
import { type PromptLanguage, promptTexts, type Say } from './texts.ts'

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

/** Asks a holder at the terminal, until there is an answer. */
export async function askAtTerminal(prompt: Prompt, terminal: Terminal, language: PromptLanguage): Promise<void> {
  const say = promptTexts.translator(language)
  terminal.write(`\n${introduction(prompt, say, language)}\n`)
  while (!prompt.signal.aborted) {
    const choice = await chosen(prompt, terminal, say)
    if (!choice || !(await attempted(prompt, choice, terminal, say))) break
  }
  // An empty line declines; this has no effect on a prompt that has its answer already.
  prompt.decline()
}

function introduction({ question, until, choices }: Prompt, say: Say, language: PromptLanguage): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const lines = choices.map(({ source, certificate }, index) => {
    const number = choices.length > 1 ? `${index + 1}. ` : ''
    return `${number}${holderOf(certificate).name} · ${formattedCpf(question.cpf)} · ${source.name}`
  })
  return [
    say('asks', { application: question.application }),
    ...lines,
    `${say('until')}: ${formatDate(until, language, timeZone)}`,
  ].join('\n')
}

async function chosen({ choices, signal }: Prompt, terminal: Terminal, say: Say): Promise<Choice | undefined> {
  if (choices.length === 1) return choices[0]
  const number = await terminal.ask(say('terminal-choice'), { secret: false, signal })
  return choices[Number(number) - 1]
}

/** True when the holder may try again. */
async function attempted(prompt: Prompt, { source }: Choice, terminal: Terminal, say: Say): Promise<boolean> {
  const { signal } = prompt
  const state = await source.pinState()
  if (state !== 'fine') terminal.write(`${say(state)}\n`)
  if (state === 'locked') return false
  if (state === 'final-try' && !isYes(await terminal.ask(say('terminal-final-try'), { secret: false, signal })))
    return false
  const pin = await terminal.ask(say('terminal-pin', { place: source.name }), { secret: true, signal })
  if (!pin || signal.aborted) return false
  const outcome = await prompt.attempt(source, pin, state === 'final-try')
  if (typeof outcome === 'string') {
    terminal.write(`${say(outcome)}\n`)
    return false
  }
  terminal.write(`${outcome.kind === 'failed' ? say('failed', outcome) : say(outcome.kind)}\n`)
  return true
}

const isYes = (answer: string | undefined): boolean => /^(sim|yes)$/i.test(answer?.trim() ?? '')
