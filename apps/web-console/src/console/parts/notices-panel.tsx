import type { ShownNotice } from '@chancela/admin-console/contract'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { Panel } from '../../shared/parts/panel.tsx'
import { TechnicalDetail } from '../../shared/parts/technical-detail.tsx'
import classes from './notices-panel.module.css'

interface NoticesPanelProps {
  notices: readonly ShownNotice[]
  /** The title as a link to where the cause is looked after, if there is such a page. */
  linked: (cause: string, title: string) => ReactNode
}

/** What operators are told of by mail, if the settings name any, in the same words. */
export function NoticesPanel({ notices, linked }: NoticesPanelProps) {
  const { t } = useTranslation('console')
  const { language } = useLanguage()
  if (notices.length === 0) return null
  return (
    <Panel title={t('notices')}>
      <ul className={classes.notices}>
        {notices.map(({ cause, title, advice, who, detail }) => (
          <li key={cause}>
            <TriangleAlert size={16} aria-hidden="true" />
            <div>
              <p>
                {linked(cause, title[language])}
                {who && `: ${who}`}
              </p>
              <p className={classes.advice}>{advice[language]}</p>
              {detail && <TechnicalDetail>{detail}</TechnicalDetail>}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
