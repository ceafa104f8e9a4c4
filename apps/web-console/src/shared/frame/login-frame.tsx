import { type ReactNode, useEffect } from 'react'
import { useProduct } from '../bundle.ts'
import type { Language } from '../i18n/languages.ts'
import { Seal } from '../seal.tsx'
import classes from './login.module.css'
import { Switches } from './switches.tsx'

interface LoginFrameProps {
  readonly title: string
  /** Beside the name of the product, such as the operator's own logo. */
  readonly logo?: ReactNode
  readonly onLanguage?: (language: Language) => void
  readonly children: ReactNode
}

/** The frame around a sign-in page. */
export function LoginFrame({ title, logo, onLanguage, children }: LoginFrameProps) {
  const product = useProduct()
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Seal size={44} />
          <div>
            <p translate="no" className={classes.name}>
              Chancela
            </p>
            <p className={classes.product}>{product}</p>
          </div>
          {logo}
        </div>
        <h1 className={classes.title}>{title}</h1>
        {children}
        <Switches {...(onLanguage && { onLanguage })} />
      </div>
    </main>
  )
}
