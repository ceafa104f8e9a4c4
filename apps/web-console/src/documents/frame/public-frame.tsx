import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useProduct } from '../../shared/bundle.ts'
import { Switches } from '../../shared/frame/switches.tsx'
import { NoticesProvider } from '../../shared/parts/notices.tsx'
import { Seal } from '../../shared/seal.tsx'
import classes from './public-frame.module.css'

/** The frame around public pages; no frame when embedded in an application. */
export function PublicFrame({ bare = false, children }: { bare?: boolean; children: ReactNode }) {
  const { t } = useTranslation()
  const product = useProduct()
  return (
    <div className={classes.frame} data-bare={bare || undefined}>
      {!bare && (
        <>
          <a className={classes.skip} href="#content">
            {t('skipToContent')}
          </a>
          <header className={classes.bar}>
            <span className={classes.brand}>
              <Seal size={30} />
              <span>
                <span translate="no">Chancela</span> <span className={classes.product}>{product}</span>
              </span>
            </span>
            <Switches />
          </header>
        </>
      )}
      <NoticesProvider>
        {(notice) => (
          <main id="content" className={classes.main} tabIndex={-1}>
            {notice}
            {children}
          </main>
        )}
      </NoticesProvider>
    </div>
  )
}
