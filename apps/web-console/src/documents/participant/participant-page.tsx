import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { CircleCheck, FileX2, Hourglass, Link2Off } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure, refusalCode } from '../../shared/api/request.ts'
import { useProduct } from '../../shared/bundle.ts'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { Loading } from '../../shared/parts/loading.tsx'
import { useFailureText } from '../../shared/parts/problem-note.tsx'
import { actionQuery } from '../api/participant.ts'
import type { ActionStatus, ParticipantAction } from '../api/types.ts'
import { PublicFrame } from '../frame/public-frame.tsx'
import { Acting } from './acting.tsx'
import { ExpiredLink } from './expired-link.tsx'
import type { PageOptions } from './page-options.ts'
import { type Outcome, postToParent } from './post-to-parent.ts'
import { ResultPanel } from './result-panel.tsx'

/** Where a participant reads the document and acts. */
export function ParticipantPage() {
  const { key } = useParams({ from: '/document/key/$key/sign' })
  const options = useSearch({ from: '/document/key/$key/sign' })
  return (
    <PublicFrame>
      <Participation documentKey={key} options={options} />
    </PublicFrame>
  )
}

/** The same inside the page of an application. */
export function EmbeddedPage() {
  const { key } = useParams({ from: '/document/key/$key/sign-embedded' })
  const options = useSearch({ from: '/document/key/$key/sign-embedded' })
  return (
    <PublicFrame bare>
      <Participation documentKey={key} options={options} />
    </PublicFrame>
  )
}

function Participation({ documentKey, options }: { documentKey: string; options: PageOptions }) {
  const { t } = useTranslation('documents-participant')
  const explain = useFailureText()
  const product = useProduct()
  const queries = useQueryClient()
  const access = { key: documentKey, ticket: options.ticket }
  const [awaited, setAwaited] = useState(options.cloud === 'under-way')
  const { data, error } = useQuery({ ...actionQuery(access), refetchInterval: awaited && LOOK_EVERY_MS })
  const [outcome, setOutcome] = useState<Outcome>()
  useOptions(options)
  const name = data?.document.name
  useEffect(() => {
    if (name) document.title = `${name} · ${product}`
  }, [name, product])

  function ended(result: Outcome) {
    setOutcome(result)
    postToParent({ type: result, id: data!.document.id })
    void queries.invalidateQueries(actionQuery(access))
  }

  // Signed in another window, or by a cloud callback that is still in progress.
  const isSigned = data?.action.status === 'Completed'
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, when it becomes true
  useEffect(() => {
    if (!awaited || !isSigned) return
    setAwaited(false)
    ended('documentSigned')
  }, [awaited, isSigned])

  // The URL only says which outcome to expect; whether it is signed, the service decides.
  if (data && isSigned && options.cloud === 'signed') return <ResultPanel action={data} outcome="documentSigned" />
  if (data && outcome) return <ResultPanel action={data} outcome={outcome} />
  if (data?.action.isActing)
    return <Acting data={data} access={access} options={options} onEnd={ended} onElsewhere={() => setAwaited(true)} />
  if (data) return <Closed data={data} />
  if (refusalCode(error) === 'ActionTicketInvalidOrExpired' && options.ticket !== '')
    return <ExpiredLink access={access} />
  if (error)
    return (
      <PageState icon={Link2Off} title={t('invalid')} tone="bad" isPage>
        {error instanceof CallFailure ? explain(error) : null}
      </PageState>
    )
  return <Loading lines={10} />
}

const LOOK_EVERY_MS = 3000

/** For a signer who returns from a provider in another browser than the one that started there. */
export function ElsewherePage() {
  const { t } = useTranslation('documents-participant')
  return (
    <PublicFrame>
      <PageState icon={Link2Off} title={t('cloud.elsewhere.title')} tone="bad" isPage>
        {t('cloud.elsewhere.text')}
      </PageState>
    </PublicFrame>
  )
}

/** Applies the language and colours of the URL, for this visit only. */
function useOptions({ culture, theme }: PageOptions): void {
  const { i18n } = useTranslation()
  useEffect(() => {
    if (culture) void i18n.changeLanguage(culture)
  }, [i18n, culture])
  useEffect(() => {
    if (theme) document.documentElement.dataset.mantineColorScheme = theme
  }, [theme])
}

const closedIcons = { Completed: CircleCheck, Created: Hourglass, Refused: FileX2, Pending: Hourglass }

/** No action is possible: it is done, not due yet, or will never be. */
function Closed({ data: { action, document } }: { data: ParticipantAction }) {
  const { t } = useTranslation(['documents-participant', 'documents'])
  const status = action.status as ActionStatus
  const hasActed = status === 'Completed' || status === 'Refused'
  if (!hasActed && document.status !== 'Pending')
    return (
      <PageState icon={FileX2} title={t('ended.title')} isPage>
        {t('ended.text', { status: t(`documents:status.${document.status}`) })}
      </PageState>
    )
  return (
    <PageState icon={closedIcons[status]} title={t(`closed.${status}.title`)} isPage>
      {t(`closed.${status}.text`)}
    </PageState>
  )
}
