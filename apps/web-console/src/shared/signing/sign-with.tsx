import { type ReactNode, useId, useState } from 'react'
import { CloudWay } from './cloud-way.tsx'
import { FileWay } from './file-way.tsx'
import { lastWay, rememberWay } from './last-way.ts'
import type { Offer, WantedCertificate, Way } from './offers.ts'
import classes from './signing.module.css'
import { useSigningTexts } from './signing-page.ts'
import { TokenWay } from './token-way.tsx'
import { waysInOrder } from './ways-in-order.ts'

export interface SignWithProps {
  /** In the page's order: the first is chosen for a visitor of whom nothing is known. */
  offers: readonly Offer[]
  /** The way the page was asked for. */
  asked?: Way | undefined
  wanted: WantedCertificate
  onSigned: () => void
}

/** Signs with a certificate in a file, in the cloud or on a token, or in a way of the page's own. */
export function SignWith({ offers, asked, wanted, onSigned }: SignWithProps) {
  const { how } = useSigningTexts()
  const name = useId()
  const [ways] = useState(() =>
    waysInOrder(
      offers.map(({ way }) => way),
      lastWay(),
    ),
  )
  const [way, setWay] = useState<Way>(asked && ways.includes(asked) ? asked : ways[0]!)
  const offer = offers.find((each) => each.way === way) ?? offers[0]!
  const labelOf = (each: Way) => ownLabel(offers, each) ?? how[each as Exclude<Way, 'other'>]
  const signed = () => {
    rememberWay(way)
    onSigned()
  }
  return (
    <>
      {ways.length > 1 && (
        <div className={classes.ways} role="radiogroup" aria-label={how.label}>
          {ways.map((each) => (
            <label key={each} className={classes.way}>
              <input type="radio" name={name} value={each} checked={each === way} onChange={() => setWay(each)} />
              <span>{labelOf(each)}</span>
            </label>
          ))}
        </div>
      )}
      <Form offer={offer} wanted={wanted} onSigned={signed} onLeave={() => rememberWay(way)} />
    </>
  )
}

const ownLabel = (offers: readonly Offer[], way: Way): string | undefined => {
  const offer = offers.find((each) => each.way === way)
  return offer?.way === 'other' ? offer.label : undefined
}

interface FormProps {
  offer: Offer
  wanted: WantedCertificate
  onSigned: () => void
  /** Called before the browser leaves this page to sign elsewhere. */
  onLeave: () => void
}

function Form({ offer, wanted, onSigned, onLeave }: FormProps): ReactNode {
  switch (offer.way) {
    case 'file':
      return <FileWay offer={offer} wanted={wanted} onSigned={onSigned} />
    case 'cloud':
      return <CloudWay offer={offer} wanted={wanted} onLeave={onLeave} />
    case 'token':
      return <TokenWay offer={offer} wanted={wanted} onSigned={onSigned} />
    case 'other':
      return offer.form(onSigned)
  }
}
