import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTaxId } from '../../shared/format/format-brazilian.ts'
import { Facts } from '../../shared/parts/facts.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { changeOrganization } from '../api/organization.ts'
import type { Organization } from '../api/types.ts'
import classes from './organization.module.css'

/** Name and time zone; a form for those who may change them. */
export function DetailsPanel({ organization, editable }: { organization: Organization; editable: boolean }) {
  const { t } = useTranslation('documents-organization')
  const { name, identifier, timeZone } = organization
  const cnpj = [t('details.identifier'), identifier && formatTaxId(identifier)] as const
  return (
    <Panel title={t('details.title')}>
      {editable ? (
        <>
          <Facts rows={[cnpj]} />
          <DetailsForm organization={organization} />
        </>
      ) : (
        <Facts rows={[[t('details.name'), name], cnpj, [t('details.timeZone'), timeZone]]} />
      )}
    </Panel>
  )
}

/** What an organization asks of its users, and allows to everybody. */
const ruleNames = ['requireSecondFactor', 'publicDocuments'] as const

type Rules = Pick<Organization, (typeof ruleNames)[number]>

const pickRules = ({ requireSecondFactor, publicDocuments }: Rules): Rules => ({ requireSecondFactor, publicDocuments })

/** What PDFs get before anybody signs them, as the service names it; the first stands for its own default. */
const stamps = ['default', 'None', 'Footer', 'Page', 'FooterAndPage'] as const

type Stamp = (typeof stamps)[number]

function DetailsForm({ organization }: { organization: Organization }) {
  const { t } = useTranslation('documents-organization')
  const [name, setName] = useState(organization.name)
  const [timeZone, setTimeZone] = useState(organization.timeZone)
  const [stamp, setStamp] = useState<Stamp>(organization.verificationStamp ?? 'default')
  const [rules, setRules] = useState<Rules>(organization)
  const { run, busy } = useAction(
    () => {
      const verificationStamp = stamp === 'default' ? null : stamp
      return changeOrganization(organization.id, {
        name: name.trim(),
        timeZone,
        verificationStamp,
        ...pickRules(rules),
      })
    },
    () => t('details.saved'),
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    void run(undefined)
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        label={t('details.name')}
        maxLength={200}
        required
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <NativeSelect
        label={t('details.timeZone')}
        description={t('details.timeZoneHint')}
        data={zonesWith(organization.timeZone)}
        value={timeZone}
        onChange={({ currentTarget }) => setTimeZone(currentTarget.value)}
      />
      <NativeSelect
        label={t('details.stamp')}
        description={t('details.stampHint')}
        data={stamps.map((value) => ({ value, label: t(`details.stamps.${value}`) }))}
        value={stamp}
        onChange={({ currentTarget }) => setStamp(currentTarget.value as Stamp)}
      />
      {ruleNames.map((rule) => (
        <Checkbox
          key={rule}
          className={classes.rule!}
          label={t(`details.${rule}`)}
          description={t(`details.${rule}Hint`)}
          checked={rules[rule]}
          onChange={({ currentTarget: { checked } }) => setRules({ ...rules, [rule]: checked })}
        />
      ))}
      <Button type="submit" loading={busy}>
        {t('details.save')}
      </Button>
    </form>
  )
}

/** The time zones the browser knows; the zone in use may not be among them. */
function zonesWith(current: string): string[] {
  const zones = Intl.supportedValuesOf('timeZone')
  return zones.includes(current) ? zones : [current, ...zones]
}
