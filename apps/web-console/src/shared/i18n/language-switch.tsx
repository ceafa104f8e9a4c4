import { SegmentedControl, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './language-switch.module.css'
import { type Language, languages } from './languages.ts'
import { useLanguage } from './use-language.ts'

const choices = (Object.keys(languages) as Language[]).map((value) => ({ value, label: <LanguageName of={value} /> }))

/** One radio per language: two letters to see, the full name for screen readers. `onChange` may inform a server. */
export function LanguageSwitch({ onChange }: { onChange?: (language: Language) => void }) {
  const { t } = useTranslation()
  const { language, speak } = useLanguage()
  return (
    <SegmentedControl
      classNames={{ root: classes.root!, indicator: classes.indicator!, label: classes.label! }}
      aria-label={t('language')}
      size="xs"
      data={choices}
      value={language}
      onChange={(chosen) => {
        speak(chosen)
        onChange?.(chosen)
      }}
    />
  )
}

function LanguageName({ of: language }: { of: Language }) {
  return (
    <span lang={language}>
      <span aria-hidden="true">{languages[language].short}</span>
      <VisuallyHidden>{languages[language].name}</VisuallyHidden>
    </span>
  )
}
