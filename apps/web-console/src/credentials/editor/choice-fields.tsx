import { Checkbox, NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Draft } from '../parts/draft.ts'
import { editorTexts } from '../texts/editor-texts.ts'
import { useEditing } from './editing.tsx'
import { elementId, useOf } from './editor-store.ts'
import { chosenOption, isNode, namedIn, withOption } from './form-data.ts'
import type { ChoiceField, Field } from './form-types.ts'

type Choices = keyof (typeof editorTexts)['en-US']['choices']

const english = editorTexts['en-US'].choices
const isNamed = (name: string | undefined): name is Choices => name !== undefined && Object.hasOwn(english, name)

type OptionNames = keyof (typeof editorTexts)['en-US']['options']

const isOptionNamed = (name: string | undefined): name is OptionNames =>
  name !== undefined && Object.hasOwn(editorTexts['en-US'].options, name)

const needed = (option: readonly Field[]) => {
  const all = namedIn(option)
  const required = all.filter(({ required }) => required)
  return (required.length > 0 ? required : all).map(({ label }) => label).join(', ')
}

/** One of several: which one is chosen first, and then its fields are asked. */
export function ChoiceFields({ field, path }: { field: ChoiceField; path: string }) {
  const { t } = useTranslation('credentials-editor')
  const { store, Fields } = useEditing()
  const partOf = (): Draft => {
    const value = store.value(path)
    return isNode(value) ? value : {}
  }
  const chosen = useOf(store, () => chosenOption(field, partOf()))
  const choose = (option: number | undefined) => store.set(path, withOption(field, partOf(), option))
  const first = namedIn(field.options[0]!)[0]?.name
  const nameOf = (option: readonly Field[]): string => {
    const name = namedIn(option)[0]?.name
    return option.length > 1 && isOptionNamed(name) ? t(`options.${name}`) : needed(option)
  }
  const fields = chosen === undefined ? [] : field.options[chosen]!
  // What only says something by being there has nothing to be typed.
  const asked = fields.filter(({ kind }) => kind !== 'flag')
  return (
    <>
      {field.options.length === 1 ? (
        <Checkbox
          label={t('give', { what: needed(field.options[0]!) })}
          checked={chosen !== undefined}
          onChange={({ currentTarget }) => choose(currentTarget.checked ? 0 : undefined)}
        />
      ) : (
        <NativeSelect
          id={`${elementId(path)}-${first}`}
          label={isNamed(first) ? t(`choices.${first}`) : t('option')}
          required={field.required}
          value={chosen === undefined ? '' : String(chosen)}
          data={[
            ...(field.required && chosen !== undefined ? [] : [{ value: '', label: t('notChosen') }]),
            ...field.options.map((option, at) => ({ value: String(at), label: nameOf(option) })),
          ]}
          onChange={({ currentTarget: { value } }) => choose(value === '' ? undefined : Number(value))}
        />
      )}
      {asked.length > 0 && <Fields fields={asked} path={path} />}
    </>
  )
}
