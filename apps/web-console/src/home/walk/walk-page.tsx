import type { WalkView } from '@chancela/demo/contract'
import { VisuallyHidden } from '@mantine/core'
import { SearchX } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { Loading } from '../../shared/parts/loading.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { SiteFooter } from '../frame/site-footer.tsx'
import { SiteHeader } from '../frame/site-header.tsx'
import pageClasses from '../home-page.module.css'
import { BeginButton } from './begin-button.tsx'
import { LetterStep } from './letter-step.tsx'
import { SentStep } from './sent-step.tsx'
import { SignStep } from './sign-step.tsx'
import { useWalk } from './use-walk.ts'
import { VerdictStep } from './verdict-step.tsx'
import classes from './walk.module.css'
import { type StepName, type StepProps, stepNames, stepStates } from './walk-steps.ts'

/** The page of one walk; its id is in the URL, so that the page can be reloaded. */
export function WalkPage() {
  const { t } = useTranslation('home')
  const id = new URLSearchParams(location.search).get('id')
  useEffect(() => {
    document.title = `${t('walk.title')} · Chancela`
  }, [t])
  return (
    <>
      <SiteHeader />
      <main id="content" className={pageClasses.main} tabIndex={-1}>
        <div className={classes.walk}>
          <h1 className={classes.title}>{t('walk.title')}</h1>
          {id ? <Walk id={id} /> : <Beginning />}
          <p>
            <a href="./">{t('walk.home')}</a>
          </p>
        </div>
      </main>
      <SiteFooter />
    </>
  )
}

function Beginning() {
  const { t } = useTranslation('home')
  return (
    <>
      <p className={classes.lead}>{t('walk.none')}</p>
      <BeginButton>{t('walk.begin')}</BeginButton>
    </>
  )
}

function Walk({ id }: { id: string }) {
  const { t } = useTranslation('home')
  const { data, error, refetch } = useWalk(id)
  if (error && !data)
    return (
      <PageState icon={SearchX} title={t('walk.lost')} action={<BeginButton quiet>{t('walk.begin')}</BeginButton>}>
        <ProblemNote error={error} onRetry={() => void refetch()} />
      </PageState>
    )
  if (!data) return <Loading lines={8} />
  return (
    <>
      <p className={classes.lead}>{t('walk.lead', { document: data.documentName, name: data.signer.name })}</p>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      <Steps walk={data} />
      {data.status !== 'Pending' && <BeginButton quiet>{t('walk.again')}</BeginButton>}
    </>
  )
}

const contents: Readonly<Record<StepName, (props: StepProps) => ReactNode>> = {
  sent: SentStep,
  letter: LetterStep,
  sign: SignStep,
  verdict: VerdictStep,
}

function Steps({ walk }: { walk: WalkView }) {
  const { t } = useTranslation('home')
  const states = stepStates(walk)
  const current = stepNames.findLast((name) => states[name] !== 'waiting')!
  const number = stepNames.indexOf(current) + 1
  return (
    <>
      <VisuallyHidden role="status">{t('walk.progress', { number, title: t(`walk.${current}.title`) })}</VisuallyHidden>
      <ol className={classes.steps}>
        {stepNames.map((name, place) => (
          <Step key={name} name={name} number={place + 1} walk={walk} state={states[name]} />
        ))}
      </ol>
    </>
  )
}

function Step({ name, number, walk, state }: StepProps & { name: StepName; number: number }) {
  const { t } = useTranslation('home')
  const Content = contents[name]
  return (
    <li className={classes.step} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
      <span className={classes.number} aria-hidden="true">
        {state === 'done' ? '✓' : number}
      </span>
      <div className={classes.body}>
        <h2 className={classes.stepTitle}>
          {t(`walk.${name}.title`)} <VisuallyHidden>({t(`walk.state.${state}`)})</VisuallyHidden>
        </h2>
        <Content walk={walk} state={state} />
      </div>
    </li>
  )
}
