import type { HolderView, SuiteView } from '@chancela/demo/contract'
import { FileKey, UserX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { Section } from '../section.tsx'
import { Holders } from './holders.tsx'
import classes from './identity-section.module.css'

type IdentitySectionProps = { holders: readonly HolderView[]; trustAnchors: SuiteView['trustAnchors'] }

/** The demo's holders to sign as, and the roots of their certificates. */
export function IdentitySection({ holders, trustAnchors }: IdentitySectionProps) {
  const { t } = useTranslation('home')
  return (
    <Section id="identities" title={t('identities.title')} lead={t('identities.lead')}>
      {holders.length > 0 ? <Holders holders={holders} /> : <NoHolder />}
      {trustAnchors && <TrustAnchors path={trustAnchors} />}
    </Section>
  )
}

function TrustAnchors({ path }: { path: string }) {
  const { t } = useTranslation('home')
  return (
    <div className={classes.anchors}>
      <FileKey size={22} aria-hidden="true" />
      <div>
        <h3>{t('identities.anchors')}</h3>
        <p>{t('identities.anchorsText')}</p>
        <p className={classes.path}>
          <code>{path}</code>
          <CopyButton text={path} what={t('what.anchors')} />
        </p>
      </div>
    </div>
  )
}

function NoHolder() {
  const { t } = useTranslation('home')
  return (
    <PageState icon={UserX} title={t('identities.empty')}>
      {t('identities.emptyText')}
    </PageState>
  )
}
