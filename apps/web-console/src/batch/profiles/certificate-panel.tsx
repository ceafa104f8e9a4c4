import { Button, PasswordInput, Radio, TextInput } from '@mantine/core'
import { KeyRound, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileField } from '../../shared/parts/file-field.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { fileAsBase64 } from '../../shared/upload/file-as-base64.ts'
import { type ProfileSecrets, testCertificate } from '../api/profiles.ts'
import type { CertificateSource, CertificateTrial, CertificateView, Profile, ProfileOptions } from '../api/types.ts'
import { CertificateFacts, CertificateResult } from './certificate-result.tsx'
import { cleanThumbprint, type KeyKind, keyKindOf, keyKinds, sourceOf } from './profile-draft.ts'
import type { PanelProps } from './profile-form.tsx'
import classes from './profiles.module.css'

interface CertificatePanelProps extends PanelProps {
  stored?: Profile
  secrets: ProfileSecrets
  onSecrets: (secrets: ProfileSecrets) => void
  options: ProfileOptions | undefined
}

/** Where the key is, what opens it, and a test that really signs with it. */
export function CertificatePanel(props: CertificatePanelProps) {
  const { t } = useTranslation('batch-profiles')
  const { draft, change, errorOf, stored, onSecrets } = props
  const kind = keyKindOf(draft.certificate)
  const isUnused = draft.approval?.signers === 'Approvers'
  const choose = (next: KeyKind) => {
    onSecrets({})
    // Restores the stored value of the same kind, so that looking at another kind does not lose it.
    const known = stored && keyKindOf(stored.certificate) === next ? stored.certificate : sourceOf(next)
    change({ certificate: known })
  }
  const error = errorOf('certificate') ?? errorOf('pkcs12') ?? errorOf('secret')
  return (
    <Panel title={t('certificate.title')} lead={t('certificate.lead')}>
      {stored?.key && <KeyInUse certificate={stored.key} />}
      <Radio.Group label={t('certificate.kind')} value={kind} onChange={(value) => choose(value as KeyKind)}>
        <div className={classes.kinds}>
          {keyKinds.map((value) => (
            <Radio key={value} value={value} label={t(`certificate.kinds.${value}`)} />
          ))}
        </div>
      </Radio.Group>
      <div className={classes.fields}>
        {kind === 'upload' && <UploadField {...props} />}
        {kind === 'file' && <PathField {...props} />}
        {kind === 'token' && <TokenFields {...props} />}
        {kind !== 'none' && <SecretField {...props} kind={kind} />}
      </div>
      {kind === 'none' && !isUnused && <p className={classes.warning}>{t('certificate.noneText')}</p>}
      {isUnused && <p>{t('certificate.unused')}</p>}
      {error && (
        <p className={classes.fieldError} role="alert">
          {error}
        </p>
      )}
      {kind !== 'none' && <CertificateTest {...props} />}
    </Panel>
  )
}

/** The holder of the key the profile signs with today; the form below may choose another. */
function KeyInUse({ certificate }: { certificate: CertificateView }) {
  const { t } = useTranslation('batch-profiles')
  return (
    <details className={classes.inUse}>
      <summary>{t('certificate.inUse', { holder: certificate.holder })}</summary>
      <CertificateFacts certificate={certificate} />
    </details>
  )
}

function UploadField({ stored, secrets, onSecrets }: CertificatePanelProps) {
  const { t } = useTranslation('batch-profiles')
  const [name, setName] = useState<string>()
  const isStored = stored !== undefined && keyKindOf(stored.certificate) === 'upload'
  return (
    <FileField
      label={t('certificate.file')}
      description={t(isStored ? 'certificate.fileStored' : 'certificate.fileHint')}
      accept=".p12,.pfx,application/x-pkcs12"
      chosen={secrets.pkcs12 ? name : undefined}
      onFiles={([file]) => {
        setName(file!.name)
        void fileAsBase64(file!).then((pkcs12) => onSecrets({ ...secrets, pkcs12 }))
      }}
    />
  )
}

function PathField({ draft, change }: CertificatePanelProps) {
  const { t } = useTranslation('batch-profiles')
  const path = draft.certificate?.kind === 'Pkcs12' ? (draft.certificate.path ?? '') : ''
  return (
    <TextInput
      label={t('certificate.path')}
      description={t('certificate.pathHint')}
      required
      spellCheck={false}
      value={path}
      onChange={(event) => change({ certificate: { kind: 'Pkcs12', path: event.currentTarget.value } })}
    />
  )
}

type TokenSource = Extract<CertificateSource, { kind: 'Pkcs11' }>

function TokenFields({ draft, change, options }: CertificatePanelProps) {
  const { t } = useTranslation('batch-profiles')
  const source = draft.certificate as TokenSource
  const set = (changes: Partial<TokenSource>) => change({ certificate: { ...source, ...changes } })
  return (
    <>
      <TextInput
        label={t('certificate.module')}
        description={t('certificate.moduleHint')}
        required
        spellCheck={false}
        value={source.modulePath}
        error={options?.tokensProblem}
        onChange={(event) => set({ modulePath: event.currentTarget.value })}
      />
      <TextInput
        label={t('certificate.token')}
        description={t('certificate.tokenHint')}
        spellCheck={false}
        list="pkcs11-tokens"
        value={source.tokenLabel ?? ''}
        onChange={(event) => set({ tokenLabel: event.currentTarget.value || null })}
      />
      <datalist id="pkcs11-tokens">
        {options?.tokens.map(({ label, serialNumber, model }) => (
          <option key={serialNumber} value={label}>
            {`${model} ${serialNumber}`}
          </option>
        ))}
      </datalist>
      <TextInput
        label={t('certificate.thumbprint')}
        description={t('certificate.thumbprintHint')}
        spellCheck={false}
        value={source.thumbprint ?? ''}
        onChange={(event) => set({ thumbprint: cleanThumbprint(event.currentTarget.value) })}
      />
    </>
  )
}

function SecretField({ stored, secrets, onSecrets, kind }: CertificatePanelProps & { kind: KeyKind }) {
  const { t } = useTranslation('batch-profiles')
  const isKept = stored?.hasSecret === true && stored.certificate?.kind === (kind === 'token' ? 'Pkcs11' : 'Pkcs12')
  const { secret: typed, ...others } = secrets
  return (
    <PasswordInput
      label={t(kind === 'token' ? 'certificate.pin' : 'certificate.password')}
      description={t(isKept ? 'certificate.secretKept' : 'certificate.secretHint')}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': t('certificate.showSecret') }}
      leftSection={<KeyRound size={16} aria-hidden="true" />}
      value={typed ?? ''}
      onChange={(event) => {
        const { value } = event.currentTarget
        onSecrets(value === '' ? others : { ...others, secret: value })
      }}
    />
  )
}

/** Whether there is something to test: a path or a module. */
const isNamed = (source: CertificateSource | null): boolean =>
  source !== null && (source.kind === 'Pkcs12' ? source.path !== '' : source.modulePath !== '')

function CertificateTest({ draft, stored, secrets }: CertificatePanelProps) {
  const { t } = useTranslation('batch-profiles')
  const [state, setState] = useState<{ busy: boolean; trial?: CertificateTrial; failure?: unknown }>({ busy: false })
  async function run() {
    setState({ busy: true })
    try {
      setState({ busy: false, trial: await testCertificate(stored?.name, draft.certificate, secrets) })
    } catch (failure) {
      setState({ busy: false, failure })
    }
  }
  return (
    <div className={classes.test}>
      <Button
        variant="default"
        loading={state.busy}
        disabled={!isNamed(draft.certificate)}
        leftSection={<ShieldCheck size={16} aria-hidden="true" />}
        onClick={() => void run()}
      >
        {t('certificate.test')}
      </Button>
      <div aria-live="polite">
        {state.failure !== undefined && <ProblemNote error={state.failure} />}
        {state.trial && <CertificateResult trial={state.trial} />}
      </div>
    </div>
  )
}
