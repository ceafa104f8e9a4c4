import { Hourglass, type LucideIcon, RefreshCw, SearchX, ServerOff, Undo2 } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { CardPage } from '../shared/card-page/card-page.tsx'
import { fill } from '../shared/i18n/fill.ts'
import { type Language, languages } from '../shared/i18n/languages.ts'
import { remember, rememberedOrPreferred } from '../shared/i18n/remembered-language.ts'
import classes from './chooser.module.css'
import { Offers } from './offers.tsx'
import type { Choice } from './read-choice.ts'
import { type Chosen, useChoice } from './use-choice.ts'
import { LanguageContext, useTexts } from './use-texts.ts'
import { useTitle } from './use-title.ts'

/** Where a holder chooses the provider that keeps the certificate. */
export function ChooserPage() {
  const chosen = useChoice()
  const [language, setLanguage] = useState(rememberedOrPreferred)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])

  function speak(next: Language) {
    remember(next)
    setLanguage(next)
  }

  return (
    <LanguageContext value={language}>
      <Card language={language} onLanguage={speak}>
        <Content {...chosen} />
      </Card>
    </LanguageContext>
  )
}

interface CardProps {
  language: Language
  onLanguage: (language: Language) => void
  children: ReactNode
}

function Card(props: CardProps) {
  const texts = useTexts()
  return <CardPage product={texts.product} label={texts.language} languages={languages} {...props} />
}

function Content({ answer, last, again }: Chosen) {
  const texts = useTexts()
  if (answer === undefined) return <Waiting />
  switch (answer.kind) {
    case 'choice':
      return answer.choice.services.length > 0 ? <Offers choice={answer.choice} /> : <Nothing choice={answer.choice} />
    case 'gone':
      return (
        <Titled title={texts.gone.title} icon={Hourglass} action={last && <BackLink choice={last} />}>
          {texts.gone.text}
        </Titled>
      )
    case 'failed':
      return (
        <Titled title={texts.failed.title} icon={ServerOff} action={<AgainButton onPress={again} />}>
          {texts.failed.text}
        </Titled>
      )
  }
}

function Waiting() {
  const texts = useTexts()
  return (
    <p className={classes.waiting} role="status" aria-busy="true">
      {texts.loading}
    </p>
  )
}

function Nothing({ choice }: { choice: Choice }) {
  const texts = useTexts()
  return (
    <Titled title={texts.empty.title} icon={SearchX} action={<BackLink choice={choice} />}>
      {texts.empty.text}
    </Titled>
  )
}

interface TitledProps {
  title: string
  icon: LucideIcon
  action: ReactNode
  children: string
}

/** Replaces the providers; an alert, so that screen readers announce it. */
function Titled({ title, icon: Icon, action, children }: TitledProps) {
  useTitle(title)
  return (
    <div className={classes.instead} role="alert">
      <span className={classes.icon}>
        <Icon size={24} aria-hidden="true" />
      </span>
      <h1>{title}</h1>
      <p>{children}</p>
      {action}
    </div>
  )
}

function BackLink({ choice: { backUrl, application } }: { choice: Choice }) {
  const texts = useTexts()
  return (
    <a className={classes.button} href={backUrl} rel="noreferrer">
      <Undo2 size={16} aria-hidden="true" /> {fill(texts.back, { application })}
    </a>
  )
}

function AgainButton({ onPress }: { onPress: () => void }) {
  const texts = useTexts()
  return (
    <button type="button" className={classes.button} onClick={onPress}>
      <RefreshCw size={16} aria-hidden="true" /> {texts.retry}
    </button>
  )
}
