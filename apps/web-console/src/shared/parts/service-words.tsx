import type { Language } from '../i18n/languages.ts'
import { useLanguage } from '../i18n/use-language.ts'
import { TechnicalDetail } from './technical-detail.tsx'

interface Props {
  text: string
  /** Null where the service has no words of its own for it. */
  messages: Readonly<Record<Language, string>> | null
}

/** Why something failed: in the words of the service, or as a quotation of what a machine elsewhere said. */
export function ServiceWords({ text, messages }: Props) {
  const { language } = useLanguage()
  return messages ? <span>{messages[language]}</span> : <TechnicalDetail>{text}</TechnicalDetail>
}
