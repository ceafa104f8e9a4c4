import { outcomePage, overPage } from './page-frame.ts'
import type { Choice, Prompt } from './prompt.ts'
import { promptPage } from './prompt-page.ts'
import type { PromptView } from './prompt-view.ts'
import type { PromptLanguage } from './texts.ts'

/** The page on which a holder gives the PIN for a session. */
export function pinView(prompt: Prompt): PromptView {
  const question = async (language: PromptLanguage, choice: Choice = prompt.choices[0]!): Promise<string> =>
    promptPage(prompt, { choice, pinState: await choice.source.pinState() }, language)

  async function take(form: URLSearchParams, language: PromptLanguage): Promise<string> {
    if (form.get('action') === 'decline') {
      prompt.decline()
      return outcomePage('declined', language)
    }
    const choice = prompt.choices[Number(form.get('source') ?? 0)] ?? prompt.choices[0]!
    const pin = form.get('pin') ?? ''
    if (pin === '') return question(language, choice)
    const refused = await prompt.attempt(choice, pin, form.get('finalTry') === 'yes')
    if (refused === 'over') return overPage(prompt.signal, language)
    if (refused === 'accepted') return outcomePage(refused, language)
    return promptPage(prompt, { choice, refused, pinState: await choice.source.pinState() }, language)
  }

  return { signal: prompt.signal, page: question, take }
}
