import { Button, NativeSelect, Radio, Switch, TextInput } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { type ChangeEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { typedCpf } from '../../shared/format/cpf.ts'
import { IconButton } from '../../shared/icon-button.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import type { ProfileOptions } from '../api/types.ts'
import {
  type Approval,
  type Approver,
  approverFaults,
  hoursOf,
  isLongWait,
  newApproval,
  quorums,
  secondsOf,
  signerSets,
  withApprover,
  withChanged,
  without,
} from './approval-draft.ts'
import type { PanelProps } from './profile-form.tsx'
import classes from './profiles.module.css'

interface RuleProps extends Pick<PanelProps, 'errorOf'> {
  rule: Approval
  set: (rule: Approval) => void
}

/** Who must approve a file before it is signed, how many of them, and who signs then. */
export function ApprovalPanel({
  draft,
  change,
  errorOf,
  options,
}: PanelProps & { options: ProfileOptions | undefined }) {
  const { t } = useTranslation('batch-profiles')
  const { approval: rule } = draft
  const set = (approval: Approval) => change({ approval })
  return (
    <Panel title={t('approval.title')} lead={t('approval.lead')}>
      <Switch
        label={t('approval.on')}
        description={t('approval.onHint')}
        checked={rule !== null}
        onChange={(event) => change({ approval: event.currentTarget.checked ? newApproval : null })}
      />
      {rule && (
        <>
          <Pool rule={rule} set={set} errorOf={errorOf} />
          <div className={classes.fields}>
            <NativeSelect
              label={t('approval.quorum')}
              description={t('approval.quorumHint')}
              value={String(rule.minimumApprovers)}
              error={errorOf('approval.minimumApprovers')}
              data={quorums(rule).map((needed) => ({
                value: String(needed),
                label: t('approval.of', { needed, pool: rule.approvers.length }),
              }))}
              onChange={(event) => set({ ...rule, minimumApprovers: Number(event.currentTarget.value) })}
            />
            <Wait rule={rule} set={set} errorOf={errorOf} />
          </div>
          {isLongWait(rule) && <p className={classes.warning}>{t('approval.longWait')}</p>}
          <Signers rule={rule} set={set} errorOf={errorOf} canSign={options?.canApproversSign ?? true} />
        </>
      )}
    </Panel>
  )
}

function Pool({ rule, set, errorOf }: RuleProps) {
  const { t } = useTranslation('batch-profiles')
  const error = errorOf('approval.approvers')
  return (
    <>
      <ul className={classes.pool} aria-label={t('approval.pool')}>
        {rule.approvers.map((_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an approver has no other identity while everything is typed
          <ApproverFields key={index} rule={rule} set={set} index={index} />
        ))}
      </ul>
      {error && (
        <p className={classes.fieldError} role="alert">
          {error}
        </p>
      )}
      <div>
        <Button
          variant="default"
          leftSection={<Plus size={16} aria-hidden="true" />}
          onClick={() => set(withApprover(rule))}
        >
          {t('approval.add')}
        </Button>
      </div>
    </>
  )
}

function ApproverFields({ rule, set, index }: Omit<RuleProps, 'errorOf'> & { index: number }) {
  const { t } = useTranslation('batch-profiles')
  const { name, email, cpf } = rule.approvers[index]!
  const number = index + 1
  const faults = approverFaults(rule, index)
  const edit = (changes: Partial<Approver>) => set(withChanged(rule, index, changes))
  return (
    <li>
      <fieldset className={classes.approver}>
        <legend>{t('approval.approver', { number })}</legend>
        <TextInput
          label={t('approval.name')}
          required
          maxLength={200}
          value={name}
          onChange={(event) => edit({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t('approval.email')}
          type="email"
          required
          maxLength={200}
          value={email}
          error={faults.email && t('approval.emailTwice')}
          onChange={(event) => edit({ email: event.currentTarget.value })}
        />
        <TextInput
          label={t('approval.cpf')}
          required
          inputMode="numeric"
          autoComplete="off"
          placeholder="000.000.000-00"
          value={cpf}
          error={faults.cpf && t(`approval.cpfFaults.${faults.cpf}`)}
          onChange={(event) => edit({ cpf: cpfTyped(event) })}
        />
        <IconButton
          icon={Trash2}
          label={t('approval.remove', { name: name.trim() || t('approval.approver', { number }) })}
          onClick={() => set(without(rule, index))}
        />
      </fieldset>
    </li>
  )
}

/** Punctuation is put in at the end only: amid the digits it would move the cursor. */
function cpfTyped({ currentTarget: { value, selectionStart } }: ChangeEvent<HTMLInputElement>): string {
  return selectionStart === value.length ? typedCpf(value) : value
}

/** What was typed stays as long as it means what the rule says. */
function Wait({ rule, set, errorOf }: RuleProps) {
  const { t } = useTranslation('batch-profiles')
  const [typed, setTyped] = useState('')
  const { expiresAfterSeconds: seconds } = rule
  return (
    <TextInput
      label={t('approval.wait')}
      description={t('approval.waitHint')}
      inputMode="decimal"
      value={secondsOf(typed) === seconds ? typed : hoursOf(seconds)}
      error={errorOf('approval.expiresAfter')}
      onChange={(event) => {
        const text = event.currentTarget.value.replaceAll(/[^\d.,]/g, '')
        setTyped(text)
        set({ ...rule, expiresAfterSeconds: secondsOf(text) })
      }}
    />
  )
}

function Signers({ rule, set, errorOf, canSign }: RuleProps & { canSign: boolean }) {
  const { t } = useTranslation('batch-profiles')
  return (
    <Radio.Group
      label={t('approval.signers')}
      value={rule.signers}
      error={errorOf('approval.signers')}
      description={canSign ? undefined : t('approval.cannotSign')}
      onChange={(value) => set({ ...rule, signers: value as Approval['signers'] })}
    >
      <div className={classes.signers}>
        {signerSets.map((value) => (
          <Radio
            key={value}
            value={value}
            label={t(`approval.signerSets.${value}`)}
            description={t(`approval.signerHints.${value}`)}
            // One that is chosen stays so, even where it has no meaning any more.
            disabled={value !== 'ProfileKey' && !canSign && rule.signers !== value}
          />
        ))}
      </div>
    </Radio.Group>
  )
}
