import type { ReactNode } from 'react'
import { Seal } from '../seal.tsx'
import classes from './card-page.module.css'

interface CardPageProps<Tag extends string> {
  product: string
  /** What the choice of languages is called. */
  label: string
  languages: Readonly<Record<Tag, { readonly short: string; readonly name: string }>>
  language: Tag
  onLanguage: (language: Tag) => void
  wide?: boolean
  children: ReactNode
}

/** A page for one purpose, for people who have no account: the seal, the languages, and one card. */
export function CardPage<Tag extends string>({ wide = false, children, ...head }: CardPageProps<Tag>) {
  return (
    <div className={classes.page} data-wide={wide || undefined}>
      <Head {...head} />
      <main className={classes.main}>{children}</main>
    </div>
  )
}

function Head<Tag extends string>({
  product,
  label,
  languages,
  language,
  onLanguage,
}: Omit<CardPageProps<Tag>, 'wide' | 'children'>) {
  return (
    <header className={classes.head}>
      <Seal size={32} />
      <p className={classes.brand}>
        <span translate="no">Chancela</span>
        <span className={classes.product}>{product}</span>
      </p>
      <fieldset className={classes.languages}>
        <legend>{label}</legend>
        {(Object.keys(languages) as Tag[]).map((one) => (
          <button key={one} type="button" lang={one} aria-pressed={one === language} onClick={() => onLanguage(one)}>
            <span aria-hidden="true">{languages[one].short}</span>
            <span className={classes.hidden}>{languages[one].name}</span>
          </button>
        ))}
      </fieldset>
    </header>
  )
}
