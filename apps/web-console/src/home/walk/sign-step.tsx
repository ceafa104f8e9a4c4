import type { WalkView } from '@chancela/demo/contract'
import { Button } from '@mantine/core'
import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { formatCpf } from '../identities/format-cpf.ts'
import classes from './walk.module.css'
import type { StepProps } from './walk-steps.ts'

/** What to do on the participant's page, and the outcome. */
export function SignStep({ walk, state }: StepProps) {
  const { t } = useTranslation('home')
  const { status, signer } = walk
  if (state === 'waiting') return <p>{t('walk.sign.waiting')}</p>
  if (status === 'Pending') return <Signing walk={walk} />
  if (status === 'Concluded') return <p>{t('walk.sign.done', { name: signer.name })}</p>
  return <p>{t(status === 'FlowConcluded' ? 'walk.sign.closing' : `walk.sign.${status}`)}</p>
}

function Signing({ walk: { signer, signUrl, hasCloud } }: { walk: WalkView }) {
  const { t } = useTranslation('home')
  const { language } = useLanguage()
  const options = new URLSearchParams({ culture: language, ...(hasCloud && { way: 'cloud' }) })
  return (
    <>
      <p>{t(hasCloud ? 'walk.sign.cloud' : 'walk.sign.file', { name: signer.name })}</p>
      <SignerFacts signer={signer} hasCloud={hasCloud} />
      <Button
        component="a"
        href={`${signUrl}&${options}`}
        target="_blank"
        rel="noopener"
        rightSection={<ExternalLink size={16} aria-hidden="true" />}
      >
        {t('walk.sign.open')}
      </Button>
    </>
  )
}

/** What the signer types: shown, because this step is about it, and no secret. */
function SignerFacts({ signer, hasCloud }: Pick<WalkView, 'signer' | 'hasCloud'>) {
  const { t } = useTranslation('home')
  const { name, cpf, pin, pkcs12 } = signer
  const first = hasCloud
    ? { title: t('walk.facts.cpf'), shown: formatCpf(cpf), copied: cpf, what: t('what.cpf', { name }) }
    : { title: t('walk.facts.file'), shown: pkcs12, copied: pkcs12, what: t('what.pkcs12', { name }) }
  const second = { title: t('walk.facts.pin'), shown: pin, copied: pin, what: t('what.pin', { name }) }
  return (
    <dl className={classes.facts}>
      {[first, second].map(({ title, shown, copied, what }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            <code>{shown}</code>
            <CopyButton text={copied} what={what} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
