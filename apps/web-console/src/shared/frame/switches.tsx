import { LanguageSwitch } from '../i18n/language-switch.tsx'
import type { Language } from '../i18n/languages.ts'
import { ColorSchemeSwitch } from '../theme/color-scheme-switch.tsx'
import classes from './frame.module.css'

/** Language and colours. */
export function Switches({ onLanguage }: { onLanguage?: (language: Language) => void }) {
  return (
    <div className={classes.switches}>
      <LanguageSwitch {...(onLanguage && { onChange: onLanguage })} />
      <ColorSchemeSwitch />
    </div>
  )
}
