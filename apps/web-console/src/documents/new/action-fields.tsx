import { Button, Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { UserPlus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../shared/icon-button.tsx'
import { certificateTypes, noticeLanguages } from '../api/types.ts'
import { type DraftAction, type DraftPerson, kinds, nobody, personFaults } from './flow-draft.ts'
import classes from './new.module.css'

export interface ActionFieldsProps {
  action: DraftAction
  onChange: (action: DraftAction) => void
  /** Whether missing fields are reported, too, and not only invalid ones. */
  strict: boolean
}

/** Who acts, and what is asked of them. */
export function ActionFields({ action, onChange, strict }: ActionFieldsProps) {
  const { t } = useTranslation(['documents-new', 'documents'])
  const { isRule, signs } = kinds[action.type]
  const setPerson = (at: number, person: DraftPerson) => onChange({ ...action, people: action.people.with(at, person) })
  const removePerson = (at: number) => {
    const people = action.people.toSpliced(at, 1)
    onChange({ ...action, people, required: Math.min(action.required, people.length) })
  }
  return (
    <>
      {action.people.map((person, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: people of a rule have no other identity while they are typed in
        <div key={at} className={classes.person}>
          {isRule && (
            <div className={classes.personHead}>
              <span>{t('flow.person', { number: at + 1 })}</span>
              {action.people.length > 1 && (
                <IconButton
                  icon={X}
                  label={t('flow.removePerson', { number: at + 1 })}
                  onClick={() => removePerson(at)}
                />
              )}
            </div>
          )}
          <PersonFields action={action} person={person} strict={strict} onChange={(next) => setPerson(at, next)} />
        </div>
      ))}
      {isRule && (
        <div className={classes.fields}>
          <Button
            variant="default"
            size="xs"
            leftSection={<UserPlus size={14} aria-hidden="true" />}
            onClick={() => onChange({ ...action, people: [...action.people, nobody] })}
          >
            {t('flow.addPerson')}
          </Button>
          <NumberInput
            label={t('flow.required')}
            min={1}
            max={action.people.length}
            hideControls
            value={action.required}
            onChange={(value) => onChange({ ...action, required: Number(value) || 1 })}
          />
          <TextInput
            label={t('flow.ruleName')}
            maxLength={200}
            value={action.ruleName}
            onChange={({ currentTarget }) => onChange({ ...action, ruleName: currentTarget.value })}
          />
        </div>
      )}
      <details className={classes.options}>
        <summary>{t('flow.options')}</summary>
        <div className={classes.fields}>
          <TextInput
            label={t('flow.roleTitle')}
            description={t('flow.titleHint')}
            maxLength={200}
            value={action.title}
            onChange={({ currentTarget }) => onChange({ ...action, title: currentTarget.value })}
          />
          <NativeSelect
            label={t('flow.language')}
            data={noticeLanguages.map((value) => ({ value, label: t(`documents:language.${value}`) }))}
            value={action.language}
            onChange={({ currentTarget }) =>
              onChange({ ...action, language: currentTarget.value as DraftAction['language'] })
            }
          />
          {signs && (
            <NativeSelect
              label={t('flow.certificate')}
              data={[{ value: '', label: t('flow.anyCertificate') }, ...certificateTypes]}
              value={action.certificateType}
              onChange={({ currentTarget }) =>
                onChange({ ...action, certificateType: currentTarget.value as DraftAction['certificateType'] })
              }
            />
          )}
        </div>
        {signs && (
          <Checkbox
            mt="sm"
            label={t('flow.electronic')}
            checked={action.allowElectronic}
            onChange={({ currentTarget }) => onChange({ ...action, allowElectronic: currentTarget.checked })}
          />
        )}
      </details>
    </>
  )
}

interface PersonFieldsProps {
  action: DraftAction
  person: DraftPerson
  strict: boolean
  onChange: (person: DraftPerson) => void
}

function PersonFields({ action, person, strict, onChange }: PersonFieldsProps) {
  const { t } = useTranslation('documents-new')
  const faults = personFaults(person, action)
  const errorOf = (field: keyof DraftPerson) => {
    const fault = faults.find((one) => one.field === field)
    if (!fault || (fault.fault === 'missing' && !strict)) return undefined
    if (fault.fault === 'missing') return t('flow.missing')
    return t(field === 'identifier' ? 'flow.invalidCpf' : 'flow.invalidEmail')
  }
  const field = (name: keyof DraftPerson) => ({
    value: person[name],
    error: errorOf(name),
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange({ ...person, [name]: currentTarget.value }),
  })
  return (
    <div className={classes.fields}>
      <TextInput label={t('flow.name')} maxLength={200} {...field('name')} />
      <TextInput label={t('flow.cpf')} maxLength={20} inputMode="numeric" {...field('identifier')} />
      <TextInput label={t('flow.email')} maxLength={254} type="email" {...field('email')} />
    </div>
  )
}
