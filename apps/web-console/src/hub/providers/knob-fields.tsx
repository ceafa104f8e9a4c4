import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { type ChangeEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import type { Knob, KnobValues } from '../api/types.ts'
import { knobNames } from '../texts/knob-names.ts'
import { asText, isKnobText, type ProviderDraft } from './provider-draft.ts'
import classes from './providers.module.css'

export interface KnobFieldsProps {
  knobs: readonly Knob[]
  /** The values of the preset. */
  ofPreset: KnobValues
  typed: ProviderDraft['knobs']
  onChange: (typed: ProviderDraft['knobs']) => void
  /** Further fields that are no knobs. */
  children: ReactNode
}

/** Hints below the inputs, so that fields side by side align regardless of the hints' length. */
export const hintBelow: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

/** What may differ between providers; collapsed, because the preset sets most of it. */
export function KnobFields({ knobs, ofPreset, typed, onChange, children }: KnobFieldsProps) {
  const { t } = useTranslation('hub-providers')
  const set = knobs.filter(({ name }) => (typed[name] ?? '') !== '').length
  // The initial value only: emptying the last field must not collapse the section while typing.
  const [open] = useState(set > 0)
  return (
    <details className={classes.advanced} open={open}>
      <summary>{set === 0 ? t('form.advanced') : t('form.advancedSet', { count: set })}</summary>
      <p className={classes.quiet}>{t('form.advancedLead')}</p>
      <div className={`${classes.fields} ${classes.knobs}`}>
        {knobs.map((knob) => (
          <KnobField
            key={knob.name}
            knob={knob}
            otherwise={asText(ofPreset[knob.name] ?? knob.default)}
            text={typed[knob.name] ?? ''}
            onChange={(text) => onChange({ ...typed, [knob.name]: text })}
          />
        ))}
        {children}
      </div>
    </details>
  )
}

interface KnobFieldProps {
  knob: Knob
  /** The effective value when the field is empty. */
  otherwise: string
  text: string
  onChange: (text: string) => void
}

function KnobField({ knob, otherwise, text, onChange }: KnobFieldProps) {
  const { t } = useTranslation('hub-providers')
  const { language } = useLanguage()
  const known = (knobNames[language] as Readonly<Record<string, string>>)[knob.name]
  const field = {
    label: known ?? <code>{knob.name}</code>,
    // A knob newer than this page: the service's own description.
    description: known ? undefined : <span lang="en">{knob.description}</span>,
    inputWrapperOrder: hintBelow,
    value: text,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) =>
      onChange(currentTarget.value),
  }
  switch (knob.kind) {
    case 'choice':
      return <NativeSelect {...field} data={[asPreset(otherwise), ...knob.values]} />
    case 'flag':
      return <NativeSelect {...field} data={[asPreset(yesOrNo(otherwise)), option('true'), option('false')]} />
    case 'count':
      return (
        <TextInput
          {...field}
          inputMode="numeric"
          maxLength={12}
          placeholder={otherwise}
          error={isKnobText(knob, text) ? undefined : t('form.notACount')}
        />
      )
    case 'text':
      return <Textarea {...field} rows={rowsOf(text, 1)} placeholder={otherwise} spellCheck={false} />
    case 'texts':
      return (
        <Textarea
          {...field}
          description={field.description ?? t('form.onePerLine')}
          rows={rowsOf(text || otherwise, 2)}
          placeholder={otherwise}
          spellCheck={false}
        />
      )
  }

  function asPreset(value: string) {
    return { value: '', label: value === '' ? t('form.asPreset') : t('form.asPresetSays', { value }) }
  }
  function option(value: 'true' | 'false') {
    return { value, label: t(`form.${value}`) }
  }
  function yesOrNo(value: string) {
    return value === 'true' || value === 'false' ? t(`form.${value}`) : value
  }
}

/** As many rows as lines, up to 6: a certificate would be too long. */
const rowsOf = (text: string, least: number): number => Math.min(6, Math.max(least, text.split('\n').length))
