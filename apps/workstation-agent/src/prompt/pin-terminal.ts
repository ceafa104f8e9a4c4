import { formatDate } from '@chancela/service-kernel/i18n'
import { formattedCpf, holderOf } from '@chancela/signature-engine/x509'
import type { Prompt } from './prompt.ts'
import { askAtTerminal, numbered, type Terminal } from './terminal.ts'
import { type PromptLanguage, promptTexts } from './texts.ts'

/** Asks for the PIN of a session at the terminal. */
export function pinAtTerminal(prompt: Prompt, terminal: Terminal, language: PromptLanguage): Promise<void> {
  const say = promptTexts.translator(language)
  const { question, until, choices } = prompt
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const names = choices.map(
    ({ source, certificate }) => `${holderOf(certificate).name} · ${formattedCpf(question.cpf)} · ${source.name}`,
  )
  const introduction = [
    say('asks', { application: question.application }),
    ...numbered(names),
    `${say('until')}: ${formatDate(until, language, timeZone)}`,
  ]
  return askAtTerminal(prompt, introduction, terminal, say)
}
