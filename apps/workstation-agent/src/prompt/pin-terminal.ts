import { formatDate } from '@chancela/service-kernel/i18n'
import { formattedCpf, holderOf } from '@chancela/signature-engine/x509'
import { askerFacts } from './page-frame.ts'
import type { Prompt } from './prompt.ts'
import { sessionTerms } from './session-terms.ts'
import { askAtTerminal, numbered, type Terminal } from './terminal.ts'
import { type PromptLanguage, promptTexts } from './texts.ts'

/** Asks for the PIN of a session at the terminal. */
export function pinAtTerminal(prompt: Prompt, terminal: Terminal, language: PromptLanguage): Promise<void> {
  const say = promptTexts.translator(language)
  const { question, until, choices, server } = prompt
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const names = choices.map(
    ({ source, certificate }) => `${holderOf(certificate).name} · ${formattedCpf(question.cpf)} · ${source.name}`,
  )
  const introduction = [
    say('asks', { application: question.application }),
    ...numbered(names),
    ...[...askerFacts(question, server, say).slice(1), ...sessionTerms(question, say, language)].map((fact) =>
      fact.join(': '),
    ),
    `${say('until')}: ${formatDate(until, language, timeZone)}`,
  ]
  return askAtTerminal(prompt, introduction, terminal, say)
}
