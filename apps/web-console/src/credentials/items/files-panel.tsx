import { Button } from '@mantine/core'
import { Download, RefreshCw, Wallet } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { useNotices } from '../../shared/parts/notices.tsx'
import { OnceDialog } from '../../shared/parts/once-dialog.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { drawAnew, offerToWallet, save } from '../api/items.ts'
import { addressOf } from '../api/lists.ts'
import type { Item, WalletOffer } from '../api/types.ts'
import classes from '../parts/parts.module.css'
import { type ItemResource, itemKinds } from './item-kinds.ts'

interface FilesPanelProps {
  resource: ItemResource
  item: Item
}

/** The official XML, byte by byte as it was signed; how it looks; and what the student's wallet holds. */
export function FilesPanel({ resource, item }: FilesPanelProps) {
  const { t } = useTranslation('credentials-items')
  const { failed } = useNotices()
  const { files, representation, isForWallets } = itemKinds[resource]
  const isValid = item.status === 'Concluded'
  const shown = isValid && representation ? [representation] : []
  const nameOf = (name: string) => `${name}-${item.id}.${name.startsWith('rv') ? 'pdf' : 'xml'}`
  return (
    <Panel title={t('files.title')} lead={t('files.lead')}>
      <div className={classes.buttons}>
        {[...files, ...shown].map((name) => (
          <Button
            key={name}
            variant="default"
            leftSection={<Download size={16} aria-hidden="true" />}
            onClick={() => void save(`${addressOf(resource, item.id)}/files/${name}`, nameOf(name)).catch(failed)}
          >
            {t(`files.${name}`)}
          </Button>
        ))}
        {isValid && representation && <DrawAnewButton resource={resource} item={item} />}
        {isValid && isForWallets && <WalletButton resource={resource} item={item} />}
      </div>
    </Panel>
  )
}

/** After the template has changed; versions before stay. */
function DrawAnewButton({ resource, item }: FilesPanelProps) {
  const { t } = useTranslation('credentials-items')
  const { run, busy } = useAction(
    () => drawAnew(resource, item.id),
    ({ version }) => t('files.drawn', { version }),
  )
  return (
    <Button
      variant="default"
      loading={busy}
      leftSection={<RefreshCw size={16} aria-hidden="true" />}
      onClick={() => void run(undefined)}
    >
      {t('files.drawAnew')}
    </Button>
  )
}

/** A link for the student, told once. */
function WalletButton({ resource, item }: FilesPanelProps) {
  const { t } = useTranslation('credentials-items')
  const { dateAndMinute } = useFormats()
  const { failed } = useNotices()
  const [offer, setOffer] = useState<WalletOffer>()
  return (
    <>
      <Button
        variant="default"
        leftSection={<Wallet size={16} aria-hidden="true" />}
        onClick={() => void offerToWallet(resource, item.id).then(setOffer, failed)}
      >
        {t('wallet.link')}
      </Button>
      {offer && (
        <OnceDialog
          title={t('wallet.title')}
          text={t('wallet.text', { until: dateAndMinute(offer.expirationDate) })}
          value={offer.url}
          what={t('wallet.link')}
          taken={t('wallet.taken')}
          onClose={() => setOffer(undefined)}
        />
      )}
    </>
  )
}
