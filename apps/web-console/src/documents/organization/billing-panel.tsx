import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { changeOrganization } from '../api/organization.ts'
import type { Billing, Organization } from '../api/types.ts'
import {
  asBilling,
  type BillingDraft,
  billingDraft,
  billingFields,
  type PayerType,
  payers,
  requiredFields,
} from './billing-draft.ts'
import classes from './organization.module.css'

/** Who is billed, and where invoices go. */
export function BillingPanel({ organization }: { organization: Organization }) {
  const { t } = useTranslation('documents-organization')
  const stored = organization.billingInformation as Billing | null
  const [draft, setDraft] = useState(() => billingDraft(stored))
  const { run, busy } = useAction(
    () =>
      changeOrganization(organization.id, {
        name: organization.name,
        billingInformation: asBilling(draft, stored),
      }),
    () => t('billing.saved'),
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    void run(undefined)
  }

  return (
    <Panel title={t('billing.title')} lead={t('billing.lead')}>
      <form className={classes.form} onSubmit={submit}>
        <PayerFields draft={draft} onChange={setDraft} />
        {billingFields.map((field) => (
          <TextInput
            key={field}
            label={t(`billing.${field}`)}
            maxLength={field === 'phone' ? 40 : 254}
            required={requiredFields.has(field)}
            {...(field === 'email' && { type: 'email' })}
            value={draft.fields[field]}
            onChange={({ currentTarget }) =>
              setDraft({ ...draft, fields: { ...draft.fields, [field]: currentTarget.value } })
            }
          />
        ))}
        <Button type="submit" loading={busy}>
          {t('billing.save')}
        </Button>
      </form>
    </Panel>
  )
}

/** A company or a person, with name and number. */
function PayerFields({ draft, onChange }: { draft: BillingDraft; onChange: (draft: BillingDraft) => void }) {
  const { t } = useTranslation('documents-organization')
  const types = Object.keys(payers) as PayerType[]
  return (
    <>
      <NativeSelect
        label={t('billing.type')}
        data={types.map((value) => ({ value, label: t(`billing.types.${value}`) }))}
        value={draft.type}
        onChange={({ currentTarget }) => onChange({ ...draft, type: currentTarget.value as PayerType })}
      />
      <TextInput
        label={t(`billing.name.${draft.type}`)}
        maxLength={254}
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
      />
      <TextInput
        label={t(`billing.identifier.${draft.type}`)}
        maxLength={20}
        value={draft.identifier}
        onChange={({ currentTarget }) => onChange({ ...draft, identifier: currentTarget.value })}
      />
    </>
  )
}
