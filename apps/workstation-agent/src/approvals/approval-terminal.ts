import { formatDate } from '@chancela/service-kernel/i18n'
import { askerFacts } from '../prompt/page-frame.ts'
import { askAtTerminal, numbered, type Terminal } from '../prompt/terminal.ts'
import { type PromptLanguage, promptTexts } from '../prompt/texts.ts'
import { asks, choiceName } from './approval-page.ts'
import type { ApprovalPrompt } from './approval-prompt.ts'

/** Asks for an approval at the terminal. */
export function approveAtTerminal(prompt: ApprovalPrompt, terminal: Terminal, language: PromptLanguage): Promise<void> {
  const say = promptTexts.translator(language)
  const { question, choices, now, server, until } = prompt
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const introduction = [
    asks(prompt, say),
    ...(question.requester === undefined ? [] : [`${say('requester')}: ${question.requester}`]),
    ...askerFacts(question, server, say).map((fact) => fact.join(': ')),
    ...question.documents.map((name) => `- ${name}`),
    `${say('until')}: ${formatDate(until, language, timeZone)}`,
    `${say('approve-code')} ${question.code}`,
    ...numbered(choices.map((choice) => choiceName(choice, now(), say, language))),
  ]
  return askAtTerminal(prompt, introduction, terminal, say)
}
