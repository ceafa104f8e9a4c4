import { ChevronRight, TriangleAlert } from 'lucide-react'
import { useNow } from '../shared/format/use-now.ts'
import { fill } from '../shared/i18n/fill.ts'
import { Logo } from '../shared/logo/logo.tsx'
import { Chip } from '../shared/parts/chip.tsx'
import classes from './chooser.module.css'
import { answeringFirst, type Choice, type Offer } from './read-choice.ts'
import { useTexts } from './use-texts.ts'
import { useTitle } from './use-title.ts'

/** The providers, each a link to its own pages. */
export function Offers({ choice }: { choice: Choice }) {
  const texts = useTexts()
  const { services, backUrl, expiresAt, documents } = choice
  return (
    <>
      {documents ? <Listed choice={choice} documents={documents} /> : <Asked choice={choice} />}
      <ul className={classes.offers} aria-label={texts.providers}>
        {answeringFirst(services).map((offer) => (
          <li key={offer.serviceInfo.serviceName}>
            <OfferLink offer={offer} />
          </li>
        ))}
      </ul>
      <p className={classes.none}>
        <a href={backUrl} rel="noreferrer">
          {documents ? texts.list.none : texts.none}
        </a>
        <GoodFor expiresAt={expiresAt} />
      </p>
    </>
  )
}

function Asked({ choice: { application } }: { choice: Choice }) {
  const texts = useTexts()
  useTitle(texts.title)
  return (
    <>
      <h1>{texts.title}</h1>
      <p className={classes.asks}>{fill(texts.asks, { application })}</p>
      <p className={classes.lead}>{texts.lead}</p>
    </>
  )
}

/** The list the session is bound to: seen before the provider is. */
function Listed({ choice: { application }, documents }: { choice: Choice; documents: readonly string[] }) {
  const { list } = useTexts()
  useTitle(list.title)
  const asks = documents.length === 1 ? list.asks.one : list.asks.other
  return (
    <>
      <h1>{list.title}</h1>
      <p className={classes.asks}>{fill(asks, { application, count: String(documents.length) })}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, and the keyboard must reach it */}
      <section className={classes.scroll} aria-label={list.documents} tabIndex={0}>
        <ol className={classes.documents} aria-label={list.documents}>
          {documents.map((name, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list never changes
            <li key={at}>
              <bdi translate="no">{name}</bdi>
            </li>
          ))}
        </ol>
      </section>
      <p className={classes.lead}>{list.bound}</p>
      <p className={classes.lead}>{list.lead}</p>
    </>
  )
}

function OfferLink({ offer: { serviceInfo, authUrl, available } }: { offer: Offer }) {
  const texts = useTexts()
  const { serviceName, provider, badgeUrl } = serviceInfo
  return (
    <a className={classes.offer} href={authUrl} rel="noreferrer" data-silent={!available || undefined}>
      <Logo address={badgeUrl} name={serviceName} />
      <span className={classes.names}>
        <span className={classes.name} translate="no">
          {serviceName}
        </span>
        <span className={classes.company} translate="no">
          {provider}
        </span>
        {!available && (
          <>
            <Chip icon={TriangleAlert} tone="warning">
              {texts.silent}
            </Chip>
            <span className={classes.hint}>{texts.silentHint}</span>
          </>
        )}
      </span>
      <ChevronRight className={classes.chevron} size={20} aria-hidden="true" />
    </a>
  )
}

const MINUTE_MS = 60_000

/** How long the page is valid: updated once a minute; no live region, so it is not announced. */
function GoodFor({ expiresAt }: { expiresAt: string }) {
  const { goodFor } = useTexts()
  const minutes = Math.ceil((Date.parse(expiresAt) - useNow(MINUTE_MS / 12)) / MINUTE_MS)
  // The visitor's clock may be wrong, so nothing is shown: the hub decides.
  if (minutes <= 0) return null
  return <span>{minutes === 1 ? goodFor.one : fill(goodFor.other, { minutes: String(minutes) })}</span>
}
