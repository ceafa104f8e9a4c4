import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RecoveryCodesDialog } from '../../shared/authenticator/recovery-codes-dialog.tsx'
import { Chip } from '../../shared/parts/chip.tsx'
import { useNotices } from '../../shared/parts/notices.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { makeRecoveryCodes, removeSecondFactor } from '../api/session.ts'
import type { Me } from '../api/types.ts'
import classes from './account.module.css'
import { NewAppDialog } from './new-app-dialog.tsx'
import { ProofDialog } from './proof-dialog.tsx'

type Open = 'app' | 'remove' | 'codes'

/** The authenticator app: set up, replaced or removed, and recovery codes for a phone that is lost. */
export function FactorPanel({ me }: { me: Me }) {
  const { t } = useTranslation('documents-account')
  const [open, setOpen] = useState<Open>()
  const isOn = me.secondFactor === 'on'
  if (!me.hasPassword) return <Panel title={t('factor.title')}>{t('factor.provider')}</Panel>
  return (
    <Panel title={t('factor.title')} {...(me.secondFactor === 'to-enrol' && { tone: 'danger' as const })}>
      {isOn && (
        <Chip icon={CircleCheck} tone="good">
          {t('factor.isOn')}
        </Chip>
      )}
      <p>{t(`factor.text.${me.secondFactor}`)}</p>
      <div className={classes.buttons}>
        <Button
          variant={isOn ? 'default' : 'filled'}
          leftSection={<Smartphone size={16} aria-hidden="true" />}
          onClick={() => setOpen('app')}
        >
          {t(isOn ? 'factor.another' : 'factor.setUp')}
        </Button>
        {isOn && (
          <>
            <Button variant="default" onClick={() => setOpen('codes')}>
              {t('factor.newCodes')}
            </Button>
            <Button variant="subtle" onClick={() => setOpen('remove')}>
              {t('factor.remove')}
            </Button>
          </>
        )}
      </div>
      {open && <FactorDialog open={open} isOn={isOn} onClose={() => setOpen(undefined)} />}
    </Panel>
  )
}

function FactorDialog({ open, isOn, onClose }: { open: Open; isOn: boolean; onClose: () => void }) {
  const { t } = useTranslation('documents-account')
  const queries = useQueryClient()
  const { done } = useNotices()
  const [codes, setCodes] = useState<readonly string[]>()
  const texts = { title: t('codes.title'), text: t('codes.text'), what: t('codes.what'), taken: t('codes.taken') }
  const close = () => {
    void queries.invalidateQueries()
    onClose()
  }
  if (codes) return <RecoveryCodesDialog codes={codes} texts={texts} onClose={close} />
  if (open === 'app') return <NewAppDialog isOn={isOn} onConfirmed={setCodes} onClose={onClose} />
  if (open === 'codes')
    return (
      <ProofDialog
        title={t('factor.newCodes')}
        text={t('factor.newCodesText')}
        confirm={t('factor.makeCodes')}
        withCode
        onProof={async (proof) => setCodes((await makeRecoveryCodes(proof)).recoveryCodes)}
        onClose={onClose}
      />
    )
  return (
    <ProofDialog
      title={t('factor.remove')}
      text={t('factor.removeText')}
      confirm={t('factor.removeNow')}
      withCode
      danger
      onProof={async (proof) => {
        await removeSecondFactor(proof)
        done(t('factor.removed'))
        close()
      }}
      onClose={onClose}
    />
  )
}
